import { type ArtistColumn, unknownArtistValue } from '../artist/artist-columns.ts'
import { bound, RANGED } from './facts.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery } from './search-parameters.ts'

/** The rows that passed all filters so far: the first `count` of `rows`. */
export interface Candidates {
  rows: Int32Array
  count: number
}

/** Keeps the candidates that pass. */
export function keep(candidates: Candidates, passes: (row: number) => boolean): void {
  const { rows } = candidates
  let kept = 0
  for (let i = 0; i < candidates.count; i++) {
    const row = rows[i] as number
    if (passes(row)) rows[kept++] = row
  }
  candidates.count = kept
}

type Stores = Pick<SongRoom, 'store' | 'artists'>

/** All songs, the oldest first. */
export function allSongs({ store }: Stores): Candidates {
  const { length, columns } = store.columns.read()
  const { words } = columns
  const rows = new Int32Array(length)
  let count = 0
  for (let num = 0; num < length; num++) if (words[num] !== 0) rows[count++] = num
  return { rows, count }
}

/** Applies the numeric filters of a query. A value that is not known passes none. */
export function filterByNumbers(
  { store, artists }: Stores,
  candidates: Candidates,
  query: SearchQuery,
  now: number,
): void {
  const { columns } = store.columns.read()
  within(candidates, columns.hotttnesss, query.songMinHotttnesss, query.songMaxHotttnesss)
  for (const fact of RANGED) {
    within(candidates, columns[fact], query[bound('min', fact)], query[bound('max', fact)])
  }
  const { key, mode = query.mode } = query.key ?? {}
  within(candidates, columns.key, key, key)
  within(candidates, columns.mode, mode, mode)
  const mask = artistMask({ artists }, query, new Date(now).getUTCFullYear())
  if (mask) {
    const { artist } = columns
    keep(candidates, (row) => mask[artist[row] as number] === 1)
  }
}

type Column = Float64Array | Int32Array | Int16Array | Uint8Array

/** Keeps values from `min` to `max`, both included. NaN is in no range. */
function within(
  candidates: Candidates,
  column: Column,
  min: number | undefined,
  max: number | undefined,
): void {
  if (min === undefined && max === undefined) return
  const { rows } = candidates
  const low = min ?? Number.NEGATIVE_INFINITY
  const high = max ?? Number.POSITIVE_INFINITY
  let kept = 0
  for (let i = 0; i < candidates.count; i++) {
    const row = rows[i] as number
    const value = column[row] as number
    if (value >= low && value <= high) rows[kept++] = row
  }
  candidates.count = kept
}

/** 1 at the number of each artist that passes; `undefined` without filters of artists. */
function artistMask(
  { artists }: Pick<Stores, 'artists'>,
  query: SearchQuery,
  year: number,
): Uint8Array | undefined {
  const { length, columns } = artists.columns.read()
  const before = (value: SearchQuery['artistEndYearBefore']) =>
    value === undefined ? undefined : (value === 'present' ? year : value) - 1
  const after = (value: SearchQuery['artistEndYearAfter']) =>
    value === undefined ? undefined : (value === 'present' ? year : value) + 1
  const startYear = {
    min: after(query.artistStartYearAfter),
    max: before(query.artistStartYearBefore),
  }
  const endYear = { min: after(query.artistEndYearAfter), max: before(query.artistEndYearBefore) }
  const ranges: { of: ArtistColumn; min: number | undefined; max: number | undefined }[] = [
    { of: 'familiarity', min: query.artistMinFamiliarity, max: query.artistMaxFamiliarity },
    { of: 'hotttnesss', min: query.artistMinHotttnesss, max: query.artistMaxHotttnesss },
    { of: 'latitude', min: query.minLatitude, max: query.maxLatitude },
    { of: 'longitude', min: query.minLongitude, max: query.maxLongitude },
    { of: 'startYear', ...startYear },
    { of: 'endYear', ...endYear },
  ]
  const asked = ranges.filter(({ min, max }) => min !== undefined || max !== undefined)
  if (asked.length === 0) return undefined
  const rows = new Int32Array(length)
  for (let num = 0; num < length; num++) rows[num] = num
  const passing: Candidates = { rows, count: length }
  for (const { of, min, max } of asked) {
    // A year of 0 is not known.
    within(passing, columns[of], unknownArtistValue(of) === 0 ? Math.max(min ?? 1, 1) : min, max)
  }
  const mask = new Uint8Array(length)
  for (let i = 0; i < passing.count; i++) mask[rows[i] as number] = 1
  // No artist has the number 0, which stands for a song without an artist.
  mask[0] = 0
  return mask
}

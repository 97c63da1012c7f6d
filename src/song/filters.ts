import { type ArtistColumn, unknownArtistValue } from '../artist/artist-columns.ts'
import { bound, RANGED } from './facts.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery } from './search-parameters.ts'

/** Filters rows in place; the result shares the memory of `rows`. */
export function keep(rows: Int32Array, passes: (row: number) => boolean): Int32Array {
  let kept = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    if (passes(row)) rows[kept++] = row
  }
  return rows.subarray(0, kept)
}

type Stores = Pick<SongRoom, 'store' | 'artists'>

/** All songs, the oldest first. */
export function allSongs({ store }: Pick<Stores, 'store'>): Int32Array {
  const { length, columns } = store.columns.readColumns()
  const { words } = columns
  return keep(allRows(length), (num) => words[num] !== 0)
}

function allRows(length: number): Int32Array {
  const rows = new Int32Array(length)
  for (let num = 0; num < length; num++) rows[num] = num
  return rows
}

/** The rows that pass the numeric filters of a query. An unknown value passes no filter. */
export function filterByNumbers(
  { store, artists }: Stores,
  candidates: Int32Array,
  query: SearchQuery,
  now: number,
): Int32Array {
  const { columns } = store.columns.readColumns()
  const { artist, hotttnesss } = columns
  let rows = within(candidates, hotttnesss, query.songMinHotttnesss, query.songMaxHotttnesss)
  for (const fact of RANGED) {
    rows = within(rows, columns[fact], query[bound('min', fact)], query[bound('max', fact)])
  }
  const { key, mode = query.mode } = query.key ?? {}
  rows = within(within(rows, columns.key, key, key), columns.mode, mode, mode)
  const mask = artistMask({ artists }, query, new Date(now).getUTCFullYear())
  return mask ? keep(rows, (row) => mask[artist[row] as number] === 1) : rows
}

type Column = Float64Array | Int32Array | Int16Array | Uint8Array

/** The rows with values from `min` to `max`, both included. NaN is in no range. */
function within(
  rows: Int32Array,
  column: Column,
  min: number | undefined,
  max: number | undefined,
): Int32Array {
  if (min === undefined && max === undefined) return rows
  const low = min ?? Number.NEGATIVE_INFINITY
  const high = max ?? Number.POSITIVE_INFINITY
  let kept = 0
  // Not by `keep`: a function call for each of a million songs would take most of the time.
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const value = column[row] as number
    if (value >= low && value <= high) rows[kept++] = row
  }
  return rows.subarray(0, kept)
}

/** A mask with 1 at the number of each artist that passes; `undefined` without artist filters. */
function artistMask(
  { artists }: Pick<Stores, 'artists'>,
  query: SearchQuery,
  year: number,
): Uint8Array | undefined {
  const { length, columns } = artists.columns.readColumns()
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
  let rows = allRows(length)
  for (const { of, min, max } of asked) {
    // The year 0 means "not known".
    const least = unknownArtistValue(of) === 0 ? Math.max(min ?? 1, 1) : min
    rows = within(rows, columns[of], least, max)
  }
  const mask = new Uint8Array(length)
  for (const num of rows) mask[num] = 1
  // No artist has the number 0, which stands for a song without an artist.
  mask[0] = 0
  return mask
}

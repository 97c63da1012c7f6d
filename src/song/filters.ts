import { type ArtistColumn, unknownArtistValue } from '../artist/artist-columns.ts'
import { boundName, RANGED } from './facts.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery } from './search-parameters.ts'

/** In place: the result shares the memory of `rows`. */
export function keepRows(rows: Int32Array, passes: (row: number) => boolean): Int32Array {
  let length = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    if (passes(row)) rows[length++] = row
  }
  return rows.subarray(0, length)
}

type FilterStores = Pick<SongRoom, 'store' | 'artists'>

/** The oldest first. */
export function allSongs({ store }: Pick<FilterStores, 'store'>): Int32Array {
  const { length, columns } = store.columns.readColumns()
  const { words } = columns
  return keepRows(allRows(length), (num) => words[num] !== 0)
}

function allRows(length: number): Int32Array {
  const rows = new Int32Array(length)
  for (let num = 0; num < length; num++) rows[num] = num
  return rows
}

/** An unknown value passes no filter. */
export function filterByNumbers(
  { store, artists }: FilterStores,
  candidates: Int32Array,
  query: SearchQuery,
  now: number,
): Int32Array {
  const { columns } = store.columns.readColumns()
  const { artist, hotttnesss } = columns
  let rows = rowsInRange(candidates, hotttnesss, query.songMinHotttnesss, query.songMaxHotttnesss)
  for (const fact of RANGED) {
    rows = rowsInRange(
      rows,
      columns[fact],
      query[boundName('min', fact)],
      query[boundName('max', fact)],
    )
  }
  const { key, mode = query.mode } = query.key ?? {}
  rows = rowsInRange(rowsInRange(rows, columns.key, key, key), columns.mode, mode, mode)
  const mask = artistMask({ artists }, query, new Date(now).getUTCFullYear())
  return mask ? keepRows(rows, (row) => mask[artist[row] as number] === 1) : rows
}

type ValueColumn = Float64Array | Int32Array | Int16Array | Uint8Array

/** Both bounds included; NaN is in no range. */
function rowsInRange(
  rows: Int32Array,
  column: ValueColumn,
  min: number | undefined,
  max: number | undefined,
): Int32Array {
  if (min === undefined && max === undefined) return rows
  const low = min ?? Number.NEGATIVE_INFINITY
  const high = max ?? Number.POSITIVE_INFINITY
  let length = 0
  // Not by `keepRows`: a function call for each of a million songs is slow.
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const value = column[row] as number
    if (value >= low && value <= high) rows[length++] = row
  }
  return rows.subarray(0, length)
}

/** 1 at the number of each artist that passes; `undefined` without artist filters. */
function artistMask(
  { artists }: Pick<FilterStores, 'artists'>,
  query: SearchQuery,
  year: number,
): Uint8Array | undefined {
  const { length, columns } = artists.columns.readColumns()
  const yearBefore = (value: SearchQuery['artistEndYearBefore']) =>
    value === undefined ? undefined : (value === 'present' ? year : value) - 1
  const yearAfter = (value: SearchQuery['artistEndYearAfter']) =>
    value === undefined ? undefined : (value === 'present' ? year : value) + 1
  const startYear = {
    min: yearAfter(query.artistStartYearAfter),
    max: yearBefore(query.artistStartYearBefore),
  }
  const endYear = {
    min: yearAfter(query.artistEndYearAfter),
    max: yearBefore(query.artistEndYearBefore),
  }
  const ranges: { column: ArtistColumn; min: number | undefined; max: number | undefined }[] = [
    { column: 'familiarity', min: query.artistMinFamiliarity, max: query.artistMaxFamiliarity },
    { column: 'hotttnesss', min: query.artistMinHotttnesss, max: query.artistMaxHotttnesss },
    { column: 'latitude', min: query.minLatitude, max: query.maxLatitude },
    { column: 'longitude', min: query.minLongitude, max: query.maxLongitude },
    { column: 'startYear', ...startYear },
    { column: 'endYear', ...endYear },
  ]
  const usedRanges = ranges.filter(({ min, max }) => min !== undefined || max !== undefined)
  if (usedRanges.length === 0) return undefined
  let rows = allRows(length)
  for (const { column: of, min, max } of usedRanges) {
    // The year 0 means "not known".
    const lowest = unknownArtistValue(of) === 0 ? Math.max(min ?? 1, 1) : min
    rows = rowsInRange(rows, columns[of], lowest, max)
  }
  const mask = new Uint8Array(length)
  for (const num of rows) mask[num] = 1
  // 0 stands for a song without an artist.
  mask[0] = 0
  return mask
}

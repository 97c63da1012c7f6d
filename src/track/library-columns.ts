import type { ColumnLayout } from '../kernel/database/columns.ts'
import { eachFact, factOf, isNamed, SEARCHED, type SearchedFact } from '../song/facts.ts'
import type { StoredStatus } from '../song/track-status.ts'
import { fnv1a } from '../values/text.ts'

export type LibraryColumn =
  | SearchedFact
  | 'created'
  | 'song'
  | 'album'
  | 'artist'
  | 'analyzer'
  | 'year'
  | 'trackNumber'
  | 'discNumber'
  | 'status'
  | 'stated'
  | 'noise'

/**
 * An unknown fact is NaN, or 255 if its values have names; in other columns, 0 means unknown.
 * `status` is a place in {@link STATUSES}; `stated` is 1 where tags name the artist of the album.
 */
export const LIBRARY_COLUMNS: ColumnLayout<LibraryColumn> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 'u8' : 'f64')),
  created: 'f64',
  song: 'i32',
  album: 'i32',
  artist: 'i32',
  analyzer: 'i32',
  year: 'i16',
  trackNumber: 'i16',
  discNumber: 'u8',
  status: 'u8',
  stated: 'u8',
  noise: 'u8',
})

export const STATUS_NUMBERS: readonly (StoredStatus | undefined)[] = [
  undefined,
  'unknown',
  'pending',
  'complete',
  'error',
]

const UNKNOWN_NAME = 255

export function unknownLibraryValue(column: LibraryColumn): number {
  const fact = SEARCHED.find((name) => name === column)
  if (fact === undefined) return 0
  return isNamed(fact) ? UNKNOWN_NAME : Number.NaN
}

export function columnOfFact(name: SearchedFact, value: number | null): number {
  const unknown = value === null || (factOf(name).positive === true && value === 0)
  return unknown ? unknownLibraryValue(name) : value
}

/** The number for the version of an imported analysis. */
export const IMPORTED_ANALYSIS = 1

/** 0 for none. */
export function analyzerNumber(version: string | null, imported: 0 | 1 | null): number {
  if (version === null) return 0
  return imported === 1 ? IMPORTED_ANALYSIS : fnv1a(version) | 0
}

import type { ColumnLayout } from '../kernel/database/columns.ts'

/**
 * The columns of artists by which songs are filtered and sorted. An unknown number is NaN, an unknown
 * year 0. The end year of an active artist is {@link ONGOING}.
 */
export const ARTIST_COLUMNS = Object.freeze({
  familiarity: 'f64',
  hotttnesss: 'f64',
  latitude: 'f64',
  longitude: 'f64',
  startYear: 'i16',
  endYear: 'i16',
} as const) satisfies ColumnLayout<string>

export type ArtistColumn = keyof typeof ARTIST_COLUMNS

export function unknownArtistValue(column: ArtistColumn): number {
  return ARTIST_COLUMNS[column] === 'i16' ? 0 : Number.NaN
}

/** The end year of an artist who is still active: after every year. */
export const ONGOING = 9999

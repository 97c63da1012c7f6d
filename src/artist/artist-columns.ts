import type { ColumnLayout } from '../kernel/database/columns.ts'

/** An unknown number is NaN, an unknown year 0. */
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

/** After every year. */
export const ONGOING_YEAR = 9999

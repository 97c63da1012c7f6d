import type { Layout } from '../kernel/database/columns.ts'

/**
 * What songs are filtered and sorted by of their artist. What is not known is NaN, and a year 0;
 * the end of years that go on is {@link ONGOING}.
 */
export const ARTIST_COLUMNS = Object.freeze({
  familiarity: 'f64',
  hotttnesss: 'f64',
  latitude: 'f64',
  longitude: 'f64',
  startYear: 'i16',
  endYear: 'i16',
} as const) satisfies Layout<string>

/** The names of {@link ARTIST_COLUMNS}. */
export type ArtistColumn = keyof typeof ARTIST_COLUMNS

/** The end year of an artist who is still active: after every year. */
export const ONGOING = 9999

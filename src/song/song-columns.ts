import type { Layout } from '../kernel/database/columns.ts'

/**
 * What songs are filtered, sorted and ranked by. What is not known is NaN, and {@link UNKNOWN} for
 * key and mode. `words` counts the words of the title, at least 1:
 * 0 where there is no song; `artistWords` those of the artists as credited.
 */
export const SONG_COLUMNS = Object.freeze({
  tempo: 'f64',
  duration: 'f64',
  loudness: 'f64',
  danceability: 'f64',
  energy: 'f64',
  hotttnesss: 'f64',
  artist: 'i32',
  key: 'u8',
  mode: 'u8',
  words: 'u8',
  artistWords: 'u8',
} as const) satisfies Layout<string>

/** The names of {@link SONG_COLUMNS}. */
export type SongColumn = keyof typeof SONG_COLUMNS

/** Of a key or mode that is not known. */
export const UNKNOWN = 255

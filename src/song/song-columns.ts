import type { Layout } from '../kernel/database/columns.ts'
import { eachFact, isNamed, SEARCHED, type SearchedFact } from './facts.ts'

/** A column of the search index of songs. */
export type SongColumn = SearchedFact | 'hotttnesss' | 'artist' | 'words' | 'artistWords'

/**
 * The columns by which songs are filtered, sorted and ranked. A number that is not known is NaN, a
 * value with a name 255. `words` counts the words of the title, at least 1: 0 where there is no
 * song; `artistWords` counts those of the artists as credited.
 */
export const SONG_COLUMNS: Layout<SongColumn> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 'u8' : 'f64')),
  hotttnesss: 'f64',
  artist: 'i32',
  words: 'u8',
  artistWords: 'u8',
})

const UNKNOWN = 255

/** The value of a column that is not known. */
export function unknownSongValue(column: SongColumn): number {
  if (column === 'artist' || column === 'words' || column === 'artistWords') return 0
  return column !== 'hotttnesss' && isNamed(column) ? UNKNOWN : Number.NaN
}

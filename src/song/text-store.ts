import type { Database } from '../kernel/database/open.ts'
import { type PlacedWord, Texts } from '../kernel/database/texts.ts'
import { nameKey } from '../naming/names.ts'
import { SearchBox } from '../naming/search-box.ts'
import { FIELD, placedTitle, placedWords } from '../naming/text-fields.ts'
import { textWords } from '../naming/typed-text.ts'

/** The names of a song that are searched. */
export interface SongNames {
  titleKey: string
  artistName: string | null
}

/** The words of songs, for searches with typed text. */
export class SongTexts {
  readonly #texts: Texts
  /** Finds songs by typed text. */
  readonly box: SearchBox

  constructor(db: Database) {
    this.#texts = new Texts(db, 'song_texts')
    this.box = new SearchBox(this.#texts)
  }

  /** Writes the words of songs, inside the transaction that changes their names. */
  write(songs: ReadonlyMap<number, SongNames | undefined>): void {
    this.#texts.write(new Map([...songs].map(([num, song]) => [num, song && wordsOf(song)])))
  }
}

function wordsOf({ titleKey, artistName }: SongNames): PlacedWord[] {
  const artist = artistName === null ? [] : textWords(nameKey(artistName))
  return [...placedTitle(titleKey), ...placedWords(artist, FIELD.artist)]
}

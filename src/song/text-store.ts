import type { Database } from '../kernel/database/open.ts'
import { all, count, storeOf } from '../kernel/database/statements.ts'
import { type PlacedWord, TEXTS_IN_BLOCK, Texts } from '../kernel/database/texts.ts'
import { nameKey } from '../naming/names.ts'
import { SearchBox } from '../naming/search-box.ts'
import { FIELD, placedTitle, placedWords } from '../naming/text-fields.ts'
import { textWords } from '../naming/typed-text.ts'

/** The names of a song that are searched. */
export interface SongNames {
  titleKey: string
  artistName: string | null
}

/** Blocks of texts that are filled in one transaction. */
const BLOCKS = 16

/** The words of songs, in which typed text is looked for. */
export class SongTexts extends storeOf({
  last: count<[]>('SELECT coalesce(max(num), 0) FROM songs'),
  blocks: count<[]>('SELECT coalesce(max(block) + 1, 0) FROM song_texts'),
  between: all<[first: number, end: number], SongNames & { num: number }>(
    `SELECT s.num, s.title_key AS titleKey, coalesce(s.credit, r.name) AS artistName
     FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.num >= ? AND s.num < ?`,
  ),
}) {
  readonly #texts: Texts
  /** Finds songs by what people type. */
  readonly box: SearchBox

  constructor(db: Database) {
    super(db)
    this.#texts = new Texts(db, 'song_texts')
    this.box = new SearchBox(this.#texts)
  }

  /** Writes the words of songs, inside the transaction that changes their names. */
  write(songs: ReadonlyMap<number, SongNames | undefined>): void {
    this.#texts.write(new Map([...songs].map(([num, song]) => [num, song && wordsOf(song)])))
  }

  /** Writes those that a migration emptied; after a crash it goes on. */
  fill(): void {
    const size = BLOCKS * TEXTS_IN_BLOCK
    for (;;) {
      const first = this.blocks() * TEXTS_IN_BLOCK
      if (this.last() < first) return
      this.atomically.step(() => {
        const songs = this.between(first, first + size)
        const named = new Map<number, SongNames | undefined>(songs.map((song) => [song.num, song]))
        // The last place shows how far it came, even where songs were removed.
        const end = Math.min(first + size, this.last() + 1) - 1
        if (!named.has(end)) named.set(end, undefined)
        this.write(named)
      })
    }
  }
}

function wordsOf({ titleKey, artistName }: SongNames): PlacedWord[] {
  const artist = artistName === null ? [] : textWords(nameKey(artistName))
  return [...placedTitle(titleKey), ...placedWords(artist, FIELD.artist)]
}

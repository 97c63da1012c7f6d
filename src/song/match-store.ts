import type { Database } from 'better-sqlite3'
import { Counts } from '../kernel/database/counts.ts'

/** What is compared of a song. */
export interface NamedSong {
  num: number
  id: string
  title: string
  titleKey: string
  /** The number of its artist. */
  artist: number | null
  /** As the artist is called. */
  artistName: string | null
  /** As the song credits the artists, where that is another name. */
  credit: string | null
  release: string | null
  /** Seconds. */
  duration: number | null
  imported: number
}

const SELECT = `
SELECT s.num, s.id, s.title, s.title_key AS titleKey, s.artist, r.name AS artistName, s.credit, s.release, s.duration,
  s.imported`

/** What is looked up to tell which song names mean. Writes nothing. */
export class SongMatchStore {
  /** In the names of how many songs a word is, about. */
  readonly words: Counts
  readonly #withWords
  readonly #byNum
  readonly #byForeignId
  readonly #byKeys
  readonly #beginningWith
  readonly #titled
  readonly #ofArtist

  constructor(db: Database) {
    this.words = new Counts(db, { counts: 'song_word_counts', revised: 'song_columns' })
    this.#withWords = db
      .prepare<[string, number], number>(
        'SELECT rowid FROM song_words WHERE song_words MATCH ? LIMIT ?',
      )
      .pluck()
    this.#byNum = db.prepare<[number], NamedSong>(
      `${SELECT} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.num = ?`,
    )
    this.#byForeignId = db.prepare<[string, string, number], NamedSong>(
      `${SELECT} FROM song_foreign_ids f JOIN songs s ON s.num = f.song
       LEFT JOIN artists r ON r.num = s.artist
       WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY s.num LIMIT ?`,
    )
    // CROSS: from the name to the songs. Else SQLite may go through all songs of a common title.
    this.#byKeys = db.prepare<[string, string, number], NamedSong>(
      `${SELECT} FROM artist_names n CROSS JOIN songs s ON s.artist = n.artist
       CROSS JOIN artists r ON r.num = s.artist
       WHERE n.name_key = ? AND s.title_key = ? ORDER BY s.num LIMIT ?`,
    )
    this.#beginningWith = db.prepare<[number, string, string, number], NamedSong>(
      `${SELECT} FROM songs s CROSS JOIN artists r ON r.num = s.artist
       WHERE s.artist = ? AND s.title_key >= ? AND s.title_key < ? LIMIT ?`,
    )
    this.#titled = db.prepare<[string, number], NamedSong>(
      `${SELECT} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.title_key = ? LIMIT ?`,
    )
    this.#ofArtist = db
      .prepare<[number, number], [num: number, titleKey: string]>(
        'SELECT num, title_key FROM songs WHERE artist = ? LIMIT ?',
      )
      .raw()
  }

  byNum(num: number): NamedSong | undefined {
    return this.#byNum.get(num)
  }

  /** The songs that have an id in another id space. */
  byForeignId(catalog: string, foreignId: string, most: number): NamedSong[] {
    return this.#byForeignId.all(catalog, foreignId, most)
  }

  /** The songs of that very title by artists of that very name. */
  byKeys(artistKey: string, titleKey: string, most: number): NamedSong[] {
    return this.#byKeys.all(artistKey, titleKey, most)
  }

  /** Songs of an artist whose titles begin so. */
  beginningWith(artist: number, titleKey: string, most: number): NamedSong[] {
    return this.#beginningWith.all(artist, titleKey, `${titleKey}\u{10ffff}`, most)
  }

  /** Songs of that very title, by anyone. */
  titled(titleKey: string, most: number): NamedSong[] {
    return this.#titled.all(titleKey, most)
  }

  /** Songs of an artist. */
  ofArtist(artist: number, most: number): [num: number, titleKey: string][] {
    return this.#ofArtist.all(artist, most)
  }

  /** Songs in whose names all words of one of the sets are. */
  withWords(sets: readonly (readonly string[])[], most: number): number[] {
    if (sets.length === 0) return []
    const asked = sets.map((words) => `(${words.map((word) => `"${word}"`).join(' AND ')})`)
    return this.#withWords.all(asked.join(' OR '), most)
  }
}

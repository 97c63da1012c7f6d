import type { Database } from 'better-sqlite3'
import { Counts } from '../kernel/database/counts.ts'

/** What is looked up to tell which artist a name means. Writes nothing. */
export class ArtistMatchStore {
  /** In the names of how many artists three signs stand in a row, about. */
  readonly grams: Counts
  readonly #withGram
  readonly #byKey
  readonly #bySquashedKey
  readonly #beginningWith
  readonly #byForeignId
  readonly #isAnother
  readonly #namesOf

  constructor(db: Database) {
    this.grams = new Counts(db, { counts: 'artist_gram_counts', revised: 'artist_columns' })
    this.#withGram = db
      .prepare<[string], number>('SELECT rowid FROM artist_grams WHERE artist_grams MATCH ?')
      .pluck()
    const named = (column: string) =>
      db
        .prepare<[string, number], number>(
          `SELECT a.num FROM artist_names n JOIN artists a ON a.num = n.artist
           WHERE n.${column} = ? ORDER BY a.imported = 0, a.num LIMIT ?`,
        )
        .pluck()
    this.#byKey = named('name_key')
    this.#bySquashedKey = named('squashed_key')
    this.#beginningWith = db
      .prepare<[string, string, number], number>(
        `SELECT artist FROM artist_names WHERE name_key >= ? AND name_key < ?
         ORDER BY name_key LIMIT ?`,
      )
      .pluck()
    this.#byForeignId = db
      .prepare<[string, string], number>(
        'SELECT artist FROM artist_foreign_ids WHERE catalog = ? AND foreign_id = ? ORDER BY artist',
      )
      .pluck()
    this.#isAnother = db
      .prepare<[string, number, string], number>(
        `SELECT count(*) > 0 AND max(foreign_id = ?) = 0 FROM artist_foreign_ids
         WHERE artist = ? AND catalog = ?`,
      )
      .pluck()
    this.#namesOf = db
      .prepare<{ num: number }, string>(
        `SELECT name FROM artists WHERE num = @num
         UNION ALL SELECT alias FROM artist_names WHERE artist = @num AND alias IS NOT NULL`,
      )
      .pluck()
  }

  /** The artists who have a name, by its key; imported ones first. */
  byKey(key: string, most: number): number[] {
    return this.#byKey.all(key, most)
  }

  /** The artists who have a name, by its key without spaces; imported ones first. */
  bySquashedKey(key: string, most: number): number[] {
    return this.#bySquashedKey.all(key, most)
  }

  /** The artists who have a name whose key begins so. */
  beginningWith(key: string, most: number): number[] {
    return this.#beginningWith.all(key, `${key}\u{10ffff}`, most)
  }

  /** The artist that has an id in another id space. */
  byForeignId(catalog: string, foreignId: string): number | undefined {
    return this.#byForeignId.get(catalog, foreignId)
  }

  /** Whether an artist is known in an id space, and not by this id. */
  isAnother(num: number, catalog: string, foreignId: string): boolean {
    return this.#isAnother.get(foreignId, num, catalog) === 1
  }

  /** All names of an artist, its own first. */
  namesOf(num: number): string[] {
    return this.#namesOf.all({ num })
  }

  /** The artists in one of whose names three signs stand in a row. */
  withGram(gram: string): number[] {
    return this.#withGram.all(`"${gram.replaceAll('"', '""')}"`)
  }
}

import type { Database } from 'better-sqlite3'
import { Counts } from '../kernel/database/counts.ts'
import { statements, value, values } from '../kernel/database/statements.ts'

const named = (column: string) =>
  values<[key: string, most: number], number>(
    `SELECT a.num FROM artist_names n JOIN artists a ON a.num = n.artist
     WHERE n.${column} = ? ORDER BY a.imported = 0, a.num LIMIT ?`,
  )

const prepare = statements({
  byKey: named('name_key'),
  bySquashedKey: named('squashed_key'),
  between: values<[first: string, last: string, most: number], number>(
    `SELECT artist FROM artist_names WHERE name_key >= ? AND name_key < ?
     ORDER BY name_key LIMIT ?`,
  ),
  byForeignId: value<[catalog: string, foreignId: string], number>(
    'SELECT artist FROM artist_foreign_ids WHERE catalog = ? AND foreign_id = ? ORDER BY artist',
  ),
  isAnother: value<{ num: number; catalog: string; foreignId: string }, 0 | 1>(
    `SELECT count(*) > 0 AND max(foreign_id = @foreignId) = 0 FROM artist_foreign_ids
     WHERE artist = @num AND catalog = @catalog`,
  ),
  namesOf: values<{ num: number }, string>(
    `SELECT name FROM artists WHERE num = @num
     UNION ALL SELECT alias FROM artist_names WHERE artist = @num AND alias IS NOT NULL`,
  ),
  withGram: values<[query: string], number>(
    'SELECT rowid FROM artist_grams WHERE artist_grams MATCH ?',
  ),
})

/** Reads what tells which artist a name means. Artists are named by their numbers. */
export class ArtistMatchStore {
  /** About how many artists have a trigram in their names. */
  readonly grams: Counts
  readonly #sql

  constructor(db: Database) {
    this.grams = new Counts(db, { counts: 'artist_gram_counts', revised: 'artist_columns' })
    this.#sql = prepare(db)
  }

  /** The artists with a name, by its key; imported ones first. */
  byKey(key: string, most: number): number[] {
    return this.#sql.byKey(key, most)
  }

  /** The artists with a name, by its key without spaces; imported ones first. */
  bySquashedKey(key: string, most: number): number[] {
    return this.#sql.bySquashedKey(key, most)
  }

  /** The artists with a name whose key begins with a text. */
  beginningWith(text: string, most: number): number[] {
    return this.#sql.between(text, `${text}\u{10ffff}`, most)
  }

  /** The artist with an id in another id space. */
  byForeignId(catalog: string, foreignId: string): number | undefined {
    return this.#sql.byForeignId(catalog, foreignId)
  }

  /** Whether an artist has ids in an id space, but not this one. */
  isAnother(num: number, catalog: string, foreignId: string): boolean {
    return this.#sql.isAnother({ num, catalog, foreignId }) === 1
  }

  /** All names of an artist, the proper name first. */
  namesOf(num: number): string[] {
    return this.#sql.namesOf({ num })
  }

  /** The artists with a trigram in one of their names. */
  withGram(gram: string): number[] {
    return this.#sql.withGram(`"${gram.replaceAll('"', '""')}"`)
  }
}

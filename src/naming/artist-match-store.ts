import type { Database } from 'better-sqlite3'
import { Counts } from '../kernel/database/counts.ts'
import { statements, value, values } from '../kernel/database/statements.ts'

const named = (column: string) =>
  values<[key: string, most: number], number>(
    `SELECT a.num FROM artist_names n JOIN artists a ON a.num = n.artist
     WHERE n.${column} = ? ORDER BY a.imported = 0, a.num LIMIT ?`,
  )

const prepare = statements({
  /** The artists with a name, by its key; imported ones first. */
  byKey: named('name_key'),
  /** The same, by the key without spaces. */
  bySquashedKey: named('squashed_key'),
  between: values<[first: string, last: string, most: number], number>(
    `SELECT artist FROM artist_names WHERE name_key >= ? AND name_key < ?
     ORDER BY name_key LIMIT ?`,
  ),
  byForeignId: value<[catalog: string, foreignId: string], number>(
    'SELECT artist FROM artist_foreign_ids WHERE catalog = ? AND foreign_id = ? ORDER BY artist',
  ),
  /** Whether an artist has ids in an id space, and none of them is this one. */
  isAnother: value<{ num: number; catalog: string; foreignId: string }, 0 | 1>(
    `SELECT count(*) > 0 AND max(foreign_id = @foreignId) = 0 FROM artist_foreign_ids
     WHERE artist = @num AND catalog = @catalog`,
  ),
  /** All names of an artist, the proper name first. */
  namesOf: values<{ num: number }, string>(
    `SELECT name FROM artists WHERE num = @num
     UNION ALL SELECT alias FROM artist_names WHERE artist = @num AND alias IS NOT NULL`,
  ),
  matchingGrams: values<[query: string], number>(
    'SELECT rowid FROM artist_grams WHERE artist_grams MATCH ?',
  ),
})

/** The queries that match names of artists. Artists are identified by their numbers. */
export type ArtistMatchStore = ReturnType<typeof artistMatches>

export function artistMatches(db: Database) {
  const sql = prepare(db)
  return Object.assign(sql, {
    /** About how many artists have a trigram in their names. */
    grams: new Counts(db, { counts: 'artist_gram_counts', revised: 'artist_columns' }),
    /** The artists with a name whose key begins with a text. */
    beginningWith: (text: string, most: number) => sql.between(text, `${text}\u{10ffff}`, most),
    /** The artists with a trigram in one of their names. */
    withGram: (gram: string) => sql.matchingGrams(`"${gram.replaceAll('"', '""')}"`),
  })
}

import { TokenCounts } from '../kernel/database/counts.ts'
import { storeOf, values } from '../kernel/database/statements.ts'

const artistsByColumn = (column: string) =>
  values<[key: string, most: number], number>(
    `SELECT a.num FROM artist_names n JOIN artists a ON a.num = n.artist
     WHERE n.${column} = ? ORDER BY a.imported = 0, a.num LIMIT ?`,
  )

export class ArtistMatchStore extends storeOf({
  /** Imported artists first. */
  byKey: artistsByColumn('name_key'),
  bySquashedKey: artistsByColumn('squashed_key'),
  /** Artists whose name in Latin letters, or in another script, has this sound key. */
  sounding: values<[soundKey: string, latin: number, most: number], number>(
    'SELECT artist FROM artist_sounds WHERE sound_key = ? AND latin = ? LIMIT ?',
  ),
  between: values<[first: string, last: string, most: number], number>(
    `SELECT artist FROM artist_names WHERE name_key >= ? AND name_key < ?
     ORDER BY name_key LIMIT ?`,
  ),
  /** All names of an artist, the proper name first. */
  namesOf: values<{ num: number }, string>(
    `SELECT name FROM artists WHERE num = @num
     UNION ALL SELECT alias FROM artist_names WHERE artist = @num AND alias IS NOT NULL`,
  ),
  matchingGrams: values<[query: string], number>(
    'SELECT rowid FROM artist_grams WHERE artist_grams MATCH ?',
  ),
}) {
  readonly grams = new TokenCounts(this.db, {
    counts: 'artist_gram_counts',
    revised: 'artist_columns',
  })

  beginningWith(text: string, limit: number): number[] {
    return this.between(text, `${text}\u{10ffff}`, limit)
  }

  withGram(gram: string): number[] {
    return this.matchingGrams(`"${gram.replaceAll('"', '""')}"`)
  }
}

import type { Database, Statement } from 'better-sqlite3'
import { DatabaseError, messageOf } from '../values/errors.ts'
import { cleanTextValue } from './cleaning.ts'
import { invalidInput } from './input.ts'
import type { MillionSongRow } from './million-song-record.ts'

/** Of `track_metadata.db`. */
interface MillionSongArtist {
  artist_id: string
  artist_name: string | null
  artist_mbid: string | null
  artist_familiarity: number | null
  artist_hotttnesss: number | null
}

/** How better-sqlite3 is loaded. */
export interface SqliteOptions {
  /** Path of better-sqlite3's native addon, for bundlers and asar; as in `Audile.open`. */
  nativeBinding?: string | undefined
}

/** Opened for reading only. */
export class MillionSongStore {
  readonly tables: ReadonlySet<string>
  readonly #db: Database
  readonly #statements = new Map<string, Statement<[string], { name: string }>>()

  private constructor(db: Database, tables: ReadonlySet<string>) {
    this.#db = db
    this.tables = tables
  }

  /**
   * @throws {ParameterError} when the file cannot be opened, or is not a SQLite file
   * @throws {DatabaseError} when the addon of better-sqlite3 cannot be loaded
   */
  static async open(path: string, { nativeBinding }: SqliteOptions): Promise<MillionSongStore> {
    const { connectSqlite: connect } = await import('../kernel/database/addon.ts')
    let db: Database | undefined
    try {
      db = connect(path, { readonly: true, fileMustExist: true, nativeBinding })
      const rows = db
        .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .all()
      return new MillionSongStore(db, new Set(rows.map(({ name }) => name)))
    } catch (error) {
      db?.close()
      if (error instanceof DatabaseError) throw error
      throw invalidInput(
        path,
        `cannot be read as a SQLite database: ${messageOf(error)}; if it is gzipped, unpack it first`,
        error,
      )
    }
  }

  songs(): IterableIterator<MillionSongRow> {
    return this.#db.prepare<[], MillionSongRow>('SELECT * FROM songs').iterate()
  }

  /** With the name that most of its songs have. */
  *artists(): Generator<MillionSongArtist, void> {
    const rows = this.#db
      .prepare<[], MillionSongArtist>(
        `SELECT artist_id, artist_name, max(artist_mbid) AS artist_mbid,
           max(artist_familiarity) AS artist_familiarity,
           max(artist_hotttnesss) AS artist_hotttnesss
         FROM songs GROUP BY artist_id, artist_name
         ORDER BY artist_id, count(*) DESC, length(artist_name), artist_name`,
      )
      .iterate()
    let lastArtistId: string | undefined
    for (const row of rows) {
      if (row.artist_id !== lastArtistId) yield row
      lastArtistId = row.artist_id
    }
  }

  /** In the order of the table. */
  wordsOf(artistId: string, column: 'term' | 'mbtag'): string[] {
    if (!this.tables.has(`artist_${column}`)) return []
    const sql = `SELECT ${column} AS name FROM artist_${column} WHERE artist_id = ?`
    const statement = this.#statements.get(sql) ?? this.#db.prepare<[string], { name: string }>(sql)
    this.#statements.set(sql, statement)
    return statement.all(artistId).map(({ name }) => name)
  }

  close(): void {
    this.#db.close()
  }
}

/** Which terms are added to records. */
export interface ArtistTermsOptions extends SqliteOptions {
  /** Path of `artist_term.db`: adds the artists' terms, which have no weights there. */
  terms?: string | undefined
  /** Whether the tags of MusicBrainz in `artist_term.db` are terms too. Default: true. */
  mbtags?: boolean | undefined
}

/**
 * @param artistOf - returns the id of a record's artist
 * @throws {ParameterError} when the file is not `artist_term.db`
 */
export async function* withTerms<R extends { terms?: object[] | undefined }>(
  records: AsyncIterable<R>,
  artistOf: (record: R) => string | undefined,
  options: ArtistTermsOptions,
): AsyncGenerator<R, void> {
  const { terms: termsPath, mbtags = true } = options
  if (termsPath === undefined) return yield* records
  const store = await MillionSongStore.open(termsPath, options)
  try {
    if (!store.tables.has('artist_term')) {
      throw invalidInput(termsPath, 'has no table "artist_term": it is not artist_term.db')
    }
    for await (const record of records) {
      const artist = artistOf(record)
      if (artist === undefined || record.terms !== undefined) {
        yield record
        continue
      }
      const words = [
        ...store.wordsOf(artist, 'term'),
        ...(mbtags ? store.wordsOf(artist, 'mbtag') : []),
      ]
      const names = new Set(words.flatMap((word) => cleanTextValue(word) ?? []))
      const terms = [...names].map((name) => ({ name }))
      yield terms.length === 0 ? record : { ...record, terms }
    }
  } finally {
    store.close()
  }
}

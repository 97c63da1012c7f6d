import type { Database, Statement } from 'better-sqlite3'
import { DatabaseError } from '../errors.ts'
import { invalid, reasonOf } from './input.ts'
import type { MillionSongRow } from './million-song-record.ts'

/** An artist of `track_metadata.db`: what its songs say most often. */
export interface MillionSongArtist {
  artist_id: string
  artist_name: string | null
  artist_mbid: string | null
  artist_familiarity: number | null
  artist_hotttnesss: number | null
}

/** How SQLite is loaded. */
export interface SqliteOptions {
  /** Path of better-sqlite3's native addon, for bundlers and asar: as the option of `Audile.open`. */
  nativeBinding?: string | undefined
}

/** A SQLite file of the Million Song Dataset, opened for reading only. */
export class MillionSongStore {
  readonly #db: Database
  readonly #tables: ReadonlySet<string>
  readonly #statements = new Map<string, Statement<[string], { name: string }>>()

  private constructor(db: Database, tables: ReadonlySet<string>) {
    this.#db = db
    this.#tables = tables
  }

  /**
   * @throws {ParameterError} when the file cannot be opened, or is no SQLite file
   * @throws {DatabaseError} when the addon of better-sqlite3 cannot be loaded
   */
  static async open(path: string, { nativeBinding }: SqliteOptions): Promise<MillionSongStore> {
    const { connect } = await import('../kernel/database/addon.ts')
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
      throw invalid(
        path,
        `cannot be read as a SQLite database: ${reasonOf(error)}; if it is gzipped, unpack it first`,
        error,
      )
    }
  }

  /** Whether it is `track_metadata.db`. */
  get hasSongs(): boolean {
    return this.#tables.has('songs')
  }

  /** Whether it is `artist_term.db`. */
  get hasTerms(): boolean {
    return this.#tables.has('artist_term')
  }

  /** The tables, by name. */
  get tables(): string[] {
    return [...this.#tables]
  }

  songs(): IterableIterator<MillionSongRow> {
    return this.#db.prepare<[], MillionSongRow>('SELECT * FROM songs').iterate()
  }

  /** Every artist once, by the name that most of its songs have. */
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
    let last: string | undefined
    for (const row of rows) {
      if (row.artist_id !== last) yield row
      last = row.artist_id
    }
  }

  /** The terms of an artist in the order in which they were entered. */
  termsOf(artistId: string): string[] {
    return this.#all('SELECT term AS name FROM artist_term WHERE artist_id = ?', artistId)
  }

  /** The tags that MusicBrainz has for an artist. */
  mbtagsOf(artistId: string): string[] {
    if (!this.#tables.has('artist_mbtag')) return []
    return this.#all('SELECT mbtag AS name FROM artist_mbtag WHERE artist_id = ?', artistId)
  }

  close(): void {
    this.#db.close()
  }

  #all(sql: string, artistId: string): string[] {
    const statement = this.#statements.get(sql) ?? this.#db.prepare<[string], { name: string }>(sql)
    this.#statements.set(sql, statement)
    return statement.all(artistId).map(({ name }) => name)
  }
}

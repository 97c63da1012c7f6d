import type { Database, Statement } from 'better-sqlite3'
import { DatabaseError, messageOf } from '../values/errors.ts'
import { invalidInput } from './input.ts'
import type { SqliteOptions } from './million-song-store.ts'

/** Columns may have any type. */
export type MixxxRow = Readonly<Record<string, unknown>> & { id: number }

/** Of its table `cues`. */
export interface MixxxCueRow {
  type: number
  position: number
  length: number
  hotcue: number
  label: unknown
  color: unknown
}

const TRACKS_PER_PAGE = 200
/** No one has longer texts and beats. */
const MAX_VALUE_BYTES = 1 << 24
const NEEDED_TABLES = [
  'library',
  'track_locations',
  'cues',
  'Playlists',
  'PlaylistTracks',
  'crates',
]

/** Opened for reading only. */
export class MixxxStore {
  readonly #db: Database
  readonly #path: string
  readonly #cues: Statement<[track: number], MixxxCueRow>

  private constructor(db: Database, path: string) {
    this.#db = db
    this.#path = path
    this.#cues = db.prepare(
      'SELECT * FROM cues WHERE track_id = ? ORDER BY hotcue, position LIMIT 1000',
    )
  }

  /**
   * @throws {ParameterError} when the file cannot be opened, or is no library of Mixxx
   * @throws {DatabaseError} when the addon of better-sqlite3 cannot be loaded
   */
  static async open(path: string, { nativeBinding }: SqliteOptions): Promise<MixxxStore> {
    const { connectSqlite } = await import('../kernel/database/addon.ts')
    let db: Database | undefined
    try {
      db = connectSqlite(path, { readonly: true, fileMustExist: true, nativeBinding })
      const names = db
        .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .all()
        .map(({ name }) => name)
      const missingTable = NEEDED_TABLES.find((name) => !names.includes(name))
      if (missingTable === undefined) return new MixxxStore(db, path)
      const existing = names.slice(0, 20).join(', ') || 'none'
      throw new Error(`it has no table "${missingTable}" (its tables: ${existing})`)
    } catch (error) {
      db?.close()
      if (error instanceof DatabaseError) throw error
      throw invalidInput(path, `cannot be read as a library of Mixxx: ${messageOf(error)}`, error)
    }
  }

  /** With the path of its file as `path`. */
  *tracks(): Generator<MixxxRow, void> {
    const page = this.#readStore(() =>
      this.#db.prepare<[after: number], MixxxRow>(
        `SELECT l.*, t.location AS path FROM library l
         LEFT JOIN track_locations t ON t.id = l.location
         WHERE l.id > ? ORDER BY l.id LIMIT ${TRACKS_PER_PAGE}`,
      ),
    )
    let after = Number.MIN_SAFE_INTEGER
    for (;;) {
      const rows = this.#readStore(() => page.all(after))
      yield* rows
      const lastTrack = rows.at(-1)
      if (!lastTrack) return
      after = lastTrack.id
    }
  }

  cuesOf(track: number): MixxxCueRow[] {
    return this.#readStore(() => this.#cues.all(track))
  }

  /** Of playlists and crates, but not of the history. */
  *listedTracks(): Generator<{ list: string; name: string; track: number | null }, void> {
    yield* this.#tracksOfLists(
      `SELECT 'p' || p.id AS list, p.name, t.track_id AS track FROM Playlists p
       LEFT JOIN PlaylistTracks t ON t.playlist_id = p.id
       WHERE p.hidden = 0 ORDER BY p.position, p.id, t.position, t.id`,
    )
    yield* this.#tracksOfLists(
      `SELECT 'c' || c.id AS list, c.name, t.track_id AS track FROM crates c
       LEFT JOIN crate_tracks t ON t.crate_id = c.id ORDER BY c.name, c.id, t.track_id`,
    )
  }

  *#tracksOfLists(
    sql: string,
  ): Generator<{ list: string; name: string; track: number | null }, void> {
    const rows = this.#readStore(() =>
      this.#db.prepare<[], { list: string; name: string; track: number | null }>(sql).iterate(),
    )
    try {
      yield* rows
    } catch (error) {
      throw this.#damageError(error)
    }
  }

  close(): void {
    this.#db.close()
  }

  #readStore<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.#damageError(error)
    }
  }

  #damageError(error: unknown): Error {
    if ((error as Error).name !== 'SqliteError') return error as Error
    const remedy = 'copy it again while Mixxx is closed'
    return invalidInput(this.#path, `is damaged: ${messageOf(error)}; ${remedy}`, error)
  }
}

/** `undefined` if it is none, or too long. */
export function bytesOfColumn(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array && value.length <= MAX_VALUE_BYTES ? value : undefined
}

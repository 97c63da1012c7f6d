import type { Database } from 'better-sqlite3'
import { connect } from '../kernel/database/addon.ts'
import { transaction } from '../kernel/database/transaction.ts'

/** A row that names another one which is not there. */
export interface Dangling {
  table: string
  rowid: number | null
  parent: string
}

/** How the file is filled, in bytes. */
export interface Size {
  bytes: number
  /** Of pages that hold nothing, and are used before the file grows. */
  freeBytes: number
}

/** So many faults of a table are told at most. */
const MOST_FAULTS = 100
/** How long a `vacuum` waits for another connection, in milliseconds. */
const PATIENCE = 1000
const MAX_PAGES = 2 ** 31 - 1

/** The database as a whole: its pages, its tables, copies of it. */
export class UpkeepStore {
  readonly #db: Database
  readonly #binding: string | undefined

  constructor(db: Database, nativeBinding: string | undefined) {
    this.#db = db
    this.#binding = nativeBinding
  }

  /** The path of the file; `:memory:` when there is none. */
  path(): string {
    return this.#db.name
  }

  /** The number of the schema. */
  schema(): number {
    return this.#db.pragma('user_version', { simple: true }) as number
  }

  size(): Size {
    const of = (name: string) => this.#db.pragma(name, { simple: true }) as number
    const page = of('page_size')
    return { bytes: page * of('page_count'), freeBytes: page * of('freelist_count') }
  }

  /** The names of all tables, those of the full-text indexes too. */
  tables(): string[] {
    return this.#db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema
         WHERE type = 'table' AND sql NOT LIKE '% USING fts5vocab %' ORDER BY name`,
      )
      .pluck()
      .all()
  }

  /** What SQLite finds wrong in a table, its indexes, and their pages; empty when nothing. */
  faultsOf(table: string): string[] {
    // A full-text index is checked against what its connection remembers of it, which other
    // connections may have made old: a new one remembers nothing.
    if (!this.#isVirtual(table) || this.#db.memory) return faultsIn(this.#db, table)
    const fresh = this.#open(this.#db.name)
    try {
      fresh.pragma(`busy_timeout = ${this.#db.pragma('busy_timeout', { simple: true })}`)
      return faultsIn(fresh, table)
    } finally {
      fresh.close()
    }
  }

  #isVirtual(table: string): boolean {
    const found = this.#db
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE 'CREATE VIRTUAL TABLE%'")
      .get(table)
    return found !== undefined
  }

  #open(path: string): Database {
    return connect(path, { nativeBinding: this.#binding, fileMustExist: true })
  }

  /** The rows of a table that name others which are gone. */
  danglingOf(table: string): Dangling[] {
    const rows = this.#db.pragma(`foreign_key_check(${quoted(table)})`) as Dangling[]
    return rows.slice(0, MOST_FAULTS)
  }

  /** Catalogs whose count of items is not that of their rows. */
  miscounted(): { id: string; total: number; items: number }[] {
    return this.#db
      .prepare<[], { id: string; total: number; items: number }>(
        `SELECT * FROM (
           SELECT c.id, c.total,
             (SELECT count(*) FROM catalog_items i WHERE i.catalog = c.num) AS items
           FROM catalogs c WHERE c.gone = 0)
         WHERE total <> items`,
      )
      .all()
  }

  /** The md5 of all bytes that audile keeps for tracks, in order, after one of them. */
  keptAfter(md5: string, most: number): string[] {
    return this.#db
      .prepare<[string, number], string>(
        'SELECT md5 FROM tracks WHERE spooled = 1 AND md5 > ? ORDER BY md5 LIMIT ?',
      )
      .pluck()
      .all(md5, most)
  }

  /**
   * Copies the database as it is at the end, page by page, while it is used.
   *
   * @param path - a file that is not there
   * @param onStep - told the pages copied and all; how many come next. What it throws ends the copy
   */
  async copyTo(path: string, onStep: (done: number, total: number) => number): Promise<void> {
    let taken = 0
    let next = 0
    await this.#db.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        taken += next
        // Another process wrote, and SQLite began anew. Not again and again: the rest at once, during
        // which others can read and write, but this connection has to wait.
        const restarted = taken > 2 * totalPages
        next = restarted ? MAX_PAGES : onStep(totalPages - remainingPages, totalPages)
        return next
      },
    })
  }

  /**
   * Makes a copy a file of its own: no engine is at work on it, so none holds its jobs, and what
   * was in the log is in the file.
   */
  settle(path: string): void {
    const copy = this.#open(path)
    try {
      transaction(copy)(() => {
        copy
          .prepare(
            `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1
             WHERE claimed_by IS NOT NULL`,
          )
          .run()
        copy.prepare('DELETE FROM engines').run()
      })
      copy.pragma('journal_mode = DELETE')
    } finally {
      copy.close()
    }
  }

  /**
   * Writes the file anew without free pages, its tables in order.
   *
   * @throws SQLITE_BUSY when another connection is at work, SQLITE_FULL without room for the copy
   */
  vacuum(): void {
    const patience = this.#db.pragma('busy_timeout', { simple: true }) as number
    // All calls wait while this one does: better to say that somebody else is at work.
    this.#db.pragma(`busy_timeout = ${PATIENCE}`)
    try {
      this.#db.exec('VACUUM')
      this.#db.pragma('optimize')
      this.#db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      this.#db.pragma(`busy_timeout = ${patience}`)
    }
  }
}

function faultsIn(db: Database, table: string): string[] {
  const rows = db.pragma(`integrity_check(${quoted(table)})`) as { integrity_check: string }[]
  return rows
    .map(({ integrity_check: told }) => told)
    .filter((told) => told !== 'ok')
    .slice(0, MOST_FAULTS)
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`
}

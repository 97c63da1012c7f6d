import type { Database } from 'better-sqlite3'
import { connectSqlite } from '../kernel/database/addon.ts'
import { busyTimeout, setBusyTimeout } from '../kernel/database/lock-wait.ts'
import { all, exists, run, statements, storeOf, values } from '../kernel/database/statements.ts'
import { TextBlocks } from '../kernel/database/texts.ts'
import { transaction } from '../kernel/database/transaction.ts'
import { DatabaseError } from '../values/errors.ts'

interface Dangling {
  table: string
  rowid: number | null
  /** The table of the missing row. */
  parent: string
}

export interface Size {
  bytes: number
  /** Bytes of empty pages; they are used before the file grows. */
  freeBytes: number
}

interface Miscounted {
  id: string
  total: number
  items: number
}

const MOST_FAULTS = 100
/** Tables of {@link TextBlocks}. */
const TEXTS = /^(song|track)_texts$/
/** Milliseconds that `vacuum` waits for another connection. */
const PATIENCE = 1000
const MAX_PAGES = 2 ** 31 - 1

const prepareCopy = statements({
  releaseJobs: run<[]>(
    `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1
     WHERE claimed_by IS NOT NULL`,
  ),
  removeEngines: run<[]>('DELETE FROM engines'),
})

/** The database as a whole: its pages, its tables, copies of it. */
export class UpkeepStore extends storeOf({
  /** The names of all tables, those of the full-text indexes too. */
  tables: values<[], string>(
    `SELECT name FROM sqlite_schema
     WHERE type = 'table' AND sql NOT LIKE '% USING fts5vocab %' ORDER BY name`,
  ),
  isVirtual: exists<[table: string]>(
    "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE 'CREATE VIRTUAL TABLE%'",
  ),
  miscounted: all<[], Miscounted>(
    `SELECT * FROM (
       SELECT c.id, c.total,
         (SELECT count(*) FROM catalog_items i WHERE i.catalog = c.num) AS items
       FROM catalogs c WHERE c.gone = 0)
     WHERE total <> items`,
  ),
  cachedAfter: values<[md5: string], string>(
    'SELECT md5 FROM tracks WHERE spooled = 1 AND md5 > ? ORDER BY md5 LIMIT 100',
  ),
}) {
  readonly #binding: string | undefined

  constructor(db: Database, nativeBinding: string | undefined) {
    super(db)
    this.#binding = nativeBinding
  }

  path(): string {
    return this.db.name
  }

  schema(): number {
    return this.#pragma('user_version')
  }

  size(): Size {
    const page = this.#pragma('page_size')
    return {
      bytes: page * this.#pragma('page_count'),
      freeBytes: page * this.#pragma('freelist_count'),
    }
  }

  #pragma(name: string): number {
    return this.db.pragma(name, { simple: true }) as number
  }

  /** The faults in a table, its indexes and their pages, by SQLite, and in blocks of words. */
  faultsOf(table: string): string[] {
    return [...this.#faultsByPages(table), ...(TEXTS.test(table) ? this.#faultsOfTexts(table) : [])]
  }

  /** Whether names can be searched: a new reader reads all blocks. */
  #faultsOfTexts(table: string): string[] {
    try {
      new TextBlocks(this.db, table).readTexts()
      return []
    } catch (error) {
      // SQLite has already reported damaged pages.
      return error instanceof DatabaseError ? [error.message] : []
    }
  }

  #faultsByPages(table: string): string[] {
    // A full-text index is checked against the cache of its connection, which may be out of date
    // after other connections wrote. A new connection has no cache.
    if (this.db.memory || !this.isVirtual(table)) {
      return faultsIn(this.db, table)
    }
    const fresh = this.#open(this.db.name)
    try {
      setBusyTimeout(fresh, busyTimeout(this.db))
      return faultsIn(fresh, table)
    } finally {
      fresh.close()
    }
  }

  #open(path: string): Database {
    return connectSqlite(path, { nativeBinding: this.#binding, fileMustExist: true })
  }

  danglingOf(table: string): Dangling[] {
    const rows = this.db.pragma(`foreign_key_check(${quoted(table)})`) as Dangling[]
    return rows.slice(0, MOST_FAULTS)
  }

  /** The md5 of tracks' bytes in the upload cache, in order. Others can write between two of them. */
  *cached(): Generator<string> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: string[] = this.cachedAfter(after)
      yield* page
      after = page.at(-1)
    }
  }

  /**
   * Copies the database page by page while it is used. The copy is its state at the end.
   *
   * @param path - a file that does not exist
   * @param onStep - gets the copied pages and all pages, and returns how many to copy next; an
   *   error in it ends the copy
   */
  async copyTo(path: string, onStep: (done: number, total: number) => number): Promise<void> {
    let taken = 0
    let next = 0
    await this.db.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        taken += next
        // When another process writes, SQLite begins again. So that the copy ends at all, the rest is
        // then copied at once: other processes can go on, but this connection has to wait.
        const restarted = taken > 2 * totalPages
        next = restarted ? MAX_PAGES : onStep(totalPages - remainingPages, totalPages)
        return next
      },
    })
  }

  /** Completes a copy: no engine is at work on it, and its log is in the file. */
  settle(path: string): void {
    const copy = this.#open(path)
    try {
      const sql = prepareCopy(copy)
      transaction(copy)(() => {
        sql.releaseJobs()
        sql.removeEngines()
      })
      copy.pragma('journal_mode = DELETE')
    } finally {
      copy.close()
    }
  }

  /** Rewrites the file without free pages. */
  vacuum(): void {
    const patience = busyTimeout(this.db)
    // All calls wait while this one does, so it soon reports that another connection is at work.
    setBusyTimeout(this.db, PATIENCE)
    try {
      this.db.exec('VACUUM')
      this.db.pragma('optimize')
      this.db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      setBusyTimeout(this.db, patience)
    }
  }
}

function faultsIn(db: Database, table: string): string[] {
  const rows = db.pragma(`integrity_check(${quoted(table)})`) as { integrity_check: string }[]
  return rows
    .map(({ integrity_check: found }) => found)
    .filter((found) => found !== 'ok')
    .slice(0, MOST_FAULTS)
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`
}

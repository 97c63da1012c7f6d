import type { Database } from 'better-sqlite3'
import { connectSqlite } from '../kernel/database/addon.ts'
import { busyTimeout, setBusyTimeout } from '../kernel/database/lock-wait.ts'
import { all, exists, run, statements, storeOf, values } from '../kernel/database/statements.ts'
import { TextBlocks } from '../kernel/database/texts.ts'
import { transaction } from '../kernel/database/transaction.ts'
import { DatabaseError } from '../values/errors.ts'

interface DanglingRow {
  table: string
  rowid: number | null
  /** The table of the missing row. */
  parent: string
}

export interface DatabaseSize {
  bytes: number
  /** They are used before the file grows. */
  freeBytes: number
}

interface MiscountedCatalog {
  id: string
  total: number
  items: number
}

const MAX_FAULTS = 100
/** Of {@link TextBlocks}. */
const TEXTS_TABLE = /^(song|track)_texts$/
/** `vacuum` waits for another connection. */
const VACUUM_LOCK_MILLISECONDS = 1000
const MAX_PAGES = 2 ** 31 - 1

const prepareCopy = statements({
  releaseJobs: run<[]>(
    `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1
     WHERE claimed_by IS NOT NULL`,
  ),
  removeEngines: run<[]>('DELETE FROM engines'),
})

export class UpkeepStore extends storeOf({
  /** Those of the full-text indexes too. */
  tables: values<[], string>(
    `SELECT name FROM sqlite_schema
     WHERE type = 'table' AND sql NOT LIKE '% USING fts5vocab %' ORDER BY name`,
  ),
  isVirtual: exists<[table: string]>(
    "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE 'CREATE VIRTUAL TABLE%'",
  ),
  miscounted: all<[], MiscountedCatalog>(
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

  databasePath(): string {
    return this.db.name
  }

  schemaVersion(): number {
    return this.#readPragma('user_version')
  }

  readSize(): DatabaseSize {
    const pageBytes = this.#readPragma('page_size')
    return {
      bytes: pageBytes * this.#readPragma('page_count'),
      freeBytes: pageBytes * this.#readPragma('freelist_count'),
    }
  }

  #readPragma(name: string): number {
    return this.db.pragma(name, { simple: true }) as number
  }

  /** By SQLite, and in blocks of words. */
  faultsOf(table: string): string[] {
    return [
      ...this.#faultsByPages(table),
      ...(TEXTS_TABLE.test(table) ? this.#faultsOfTexts(table) : []),
    ]
  }

  /** A new reader reads all blocks. */
  #faultsOfTexts(table: string): string[] {
    try {
      new TextBlocks(this.db, table).checkTexts()
      return []
    } catch (error) {
      // SQLite has already reported damaged pages.
      return error instanceof DatabaseError ? [error.message] : []
    }
  }

  #faultsByPages(table: string): string[] {
    // A full-text index is checked against its connection's cache, which a new one does not have.
    if (this.db.memory || !this.isVirtual(table)) {
      return faultsIn(this.db, table)
    }
    const connection = this.#openConnection(this.db.name)
    try {
      setBusyTimeout(connection, busyTimeout(this.db))
      return faultsIn(connection, table)
    } finally {
      connection.close()
    }
  }

  #openConnection(path: string): Database {
    return connectSqlite(path, { nativeBinding: this.#binding, fileMustExist: true })
  }

  danglingOf(table: string): DanglingRow[] {
    const rows = this.db.pragma(`foreign_key_check(${quoteSql(table)})`) as DanglingRow[]
    return rows.slice(0, MAX_FAULTS)
  }

  /** Of tracks in the upload cache, in order; others can write between two of them. */
  *cachedMd5s(): Generator<string> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: string[] = this.cachedAfter(after)
      yield* page
      after = page.at(-1)
    }
  }

  /**
   * The copy is the state at the end of copying.
   * @param path - a file that does not exist
   * @param onStep - returns how many pages to copy next; an error in it ends the copy
   */
  async copyTo(path: string, onStep: (done: number, total: number) => number): Promise<void> {
    let copiedPages = 0
    let nextPages = 0
    await this.db.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        copiedPages += nextPages
        // SQLite begins again when another process writes; at last the rest is copied at once.
        const hasRestarted = copiedPages > 2 * totalPages
        nextPages = hasRestarted ? MAX_PAGES : onStep(totalPages - remainingPages, totalPages)
        return nextPages
      },
    })
  }

  /** No engine is at work on the copy, and its log is in the file. */
  settle(path: string): void {
    const copy = this.#openConnection(path)
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
    const lastTimeout = busyTimeout(this.db)
    // All calls wait meanwhile, so it soon reports that another connection is at work.
    setBusyTimeout(this.db, VACUUM_LOCK_MILLISECONDS)
    try {
      this.db.exec('VACUUM')
      this.db.pragma('optimize')
      this.db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      setBusyTimeout(this.db, lastTimeout)
    }
  }
}

function faultsIn(db: Database, table: string): string[] {
  const rows = db.pragma(`integrity_check(${quoteSql(table)})`) as { integrity_check: string }[]
  return rows
    .map(({ integrity_check: fault }) => fault)
    .filter((fault) => fault !== 'ok')
    .slice(0, MAX_FAULTS)
}

function quoteSql(name: string): string {
  return `'${name.replaceAll("'", "''")}'`
}

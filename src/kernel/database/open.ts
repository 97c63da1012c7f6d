import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { connectSqlite } from './addon.ts'
import { type LockWaits, runWithLock, setBusyTimeout } from './lock-wait.ts'
import { migrateDatabase } from './migrate.ts'
import { asDatabaseError } from './sqlite-error.ts'
import { SYNCHRONOUS } from './transaction.ts'

export type { Database }

const MAIN_CACHE_KILOBYTES = 64 * 1024
const CHECKPOINT_PAGES = 16_384
/** Bytes of the log that stay on disk. */
const KEPT_LOG_BYTES = 4 << 20

const BUSY_MILLISECONDS = 10_000

/** So that the file can be read where nothing can be written; the next opening turns the log on. */
export function settleFile(db: Database): void {
  if (!db.memory) db.pragma('journal_mode = DELETE')
}

/**
 * @throws {DatabaseError} when the file is missing its folder, foreign, newer or not writable, or
 * the addon fails
 */
export function openDatabase(
  path: string,
  options: { nativeBinding?: string | undefined; waits?: LockWaits | undefined } = {},
): Database {
  if (path !== ':memory:' && !existsSync(dirname(path))) {
    throw new DatabaseError(
      `Cannot open ${path}: the folder ${dirname(path)} does not exist; make it first.`,
    )
  }
  let db: Database | undefined
  try {
    const connection = connectSqlite(path, options)
    db = connection
    setBusyTimeout(db, BUSY_MILLISECONDS, options.waits)
    const pragma = (text: string) => runWithLock(connection, () => connection.pragma(text))
    // Must be set before the first table.
    pragma('auto_vacuum = INCREMENTAL')
    // Another process may recover the log, or change this mode.
    pragma('journal_mode = WAL')
    db.pragma(`synchronous = ${SYNCHRONOUS}`)
    // Large imports change pages all over the file; so each is written a few times only.
    db.pragma(`cache_size = -${MAIN_CACHE_KILOBYTES}`)
    db.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`)
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    // Otherwise each journal of a temporary table would be a new file.
    db.pragma('temp.journal_mode = MEMORY')
    migrateDatabase(db)
    return db
  } catch (error) {
    db?.close()
    throw asDatabaseError(error, `Cannot open ${path}`)
  }
}

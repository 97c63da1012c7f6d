import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { connect } from './addon.ts'
import { type LockWaits, setBusyTimeout, waitingForLock } from './lock-wait.ts'
import { migrate } from './migrate.ts'
import { asDatabaseError } from './sqlite-error.ts'
import { SYNCHRONOUS } from './transaction.ts'

export type { Database }

const CACHE_KILOBYTES = 64 * 1024
/** Pages of the write-ahead log before they are copied back: 64 MB. */
const CHECKPOINT_PAGES = 16_384
/** Bytes of the log that stay on disk. */
const LOG_BYTES = 4 << 20

/** Milliseconds that a connection waits for the lock of another before SQLITE_BUSY. */
const BUSY_TIMEOUT = 10_000

/**
 * Turns the write-ahead log off, so that the file can be read where nothing can be written. The
 * next opening turns it on again.
 */
export function settleFile(db: Database): void {
  if (!db.memory) db.pragma('journal_mode = DELETE')
}

/**
 * Opens or creates the database file, in WAL mode, with the newest schema.
 *
 * @throws {DatabaseError} when the folder is missing; when the file is not a database, is not writable,
 * or belongs to another program or a newer audile; when the addon of better-sqlite3 cannot be loaded
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
    const opened = connect(path, options)
    db = opened
    setBusyTimeout(db, BUSY_TIMEOUT, options.waits)
    const pragma = (text: string) => waitingForLock(opened, () => opened.pragma(text))
    // Must be set before the first table. Packing and removing leave free pages, which are given back
    // in steps.
    pragma('auto_vacuum = INCREMENTAL')
    // Another process may recover the log of one that was killed, or leave or enter this mode.
    pragma('journal_mode = WAL')
    db.pragma(`synchronous = ${SYNCHRONOUS}`)
    // Large imports change pages all over the file. With a large cache and rare checkpoints a page is
    // written a few times, not with every batch.
    db.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    db.pragma(`journal_size_limit = ${LOG_BYTES}`)
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    // Each transaction that writes blocks writes a temporary table: its journal would be a new file.
    db.pragma('temp.journal_mode = MEMORY')
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    throw asDatabaseError(error, `Cannot open ${path}`)
  }
}

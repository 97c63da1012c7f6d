import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { asDatabaseError, DatabaseError } from '../../errors.ts'
import { connect } from './addon.ts'
import { migrate } from './migrate.ts'
import { SYNCHRONOUS } from './transaction.ts'

export type { Database }

/** Memory for pages, at most. */
const CACHE_KILOBYTES = 64 * 1024
/** Pages in the write-ahead log before they are copied back: 64 MB. */
const CHECKPOINT_PAGES = 16_384
/** What stays of the log on disk, in bytes. */
const LOG_BYTES = 4 << 20

/** How long one connection waits for another's lock before SQLITE_BUSY, in milliseconds. */
const BUSY_TIMEOUT = 10_000

/** Sets how long a connection waits for another's lock before SQLITE_BUSY. */
export function setBusyTimeout(db: Database, milliseconds: number): void {
  db.pragma(`busy_timeout = ${milliseconds}`)
}

/**
 * Opens (or makes) the database file, in WAL mode, at the newest schema.
 *
 * @throws {DatabaseError} when the folder is missing, the file is not a database, not writable, of
 * another program, or of a newer audile; when the addon of better-sqlite3 cannot be loaded
 */
export function openDatabase(path: string, options: { nativeBinding?: string } = {}): Database {
  if (path !== ':memory:' && !existsSync(dirname(path))) {
    throw new DatabaseError(
      `Cannot open ${path}: the folder ${dirname(path)} does not exist; make it first.`,
    )
  }
  let db: Database | undefined
  try {
    db = connect(path, options)
    setBusyTimeout(db, BUSY_TIMEOUT)
    // Before the first table: what is packed or removed leaves pages that are given back in steps.
    db.pragma('auto_vacuum = INCREMENTAL')
    db.pragma('journal_mode = WAL')
    db.pragma(`synchronous = ${SYNCHRONOUS}`)
    // Large imports touch pages all over the file: held in memory, and copied back less often, each
    // is written a few times instead of with every batch.
    db.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    db.pragma(`journal_size_limit = ${LOG_BYTES}`)
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    throw asDatabaseError(error, `Cannot open ${path}`)
  }
}

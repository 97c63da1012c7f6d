import type { Database } from 'better-sqlite3'

/** What SQLite waits for at a commit: that it survives a power cut, at the price of one fsync. */
export const SYNCHRONOUS = 'FULL'

/**
 * Runs work in one write transaction. Inside another one it is a savepoint: what fails is undone
 * alone. Work that returns a promise is refused, for the transaction would end before it.
 */
export interface Transaction {
  <T>(work: () => T): T
  /** Runs work on one state of the database, whatever other processes write meanwhile. */
  reading<T>(work: () => T): T
  /**
   * Runs a step of something that is done again when it was cut off. A power cut may undo the last
   * steps; a crash of the process undoes none.
   */
  step<T>(work: () => T): T
}

/** The transactions of a connection. */
export function transaction(db: Database): Transaction {
  const run = db.transaction((work: () => unknown) => work())
  const immediate = <T>(work: () => T): T => run.immediate(work) as T
  return Object.assign(immediate, {
    reading: <T>(work: () => T): T => run.deferred(work) as T,
    step: <T>(work: () => T): T => {
      // A savepoint is as durable as the transaction that it is in.
      if (db.inTransaction) return immediate(work)
      db.pragma('synchronous = NORMAL')
      try {
        return immediate(work)
      } finally {
        db.pragma(`synchronous = ${SYNCHRONOUS}`)
      }
    },
  })
}

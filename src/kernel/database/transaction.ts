import type { Database } from 'better-sqlite3'
import { waitingForLock } from './lock-wait.ts'

/** A commit survives a power cut, at the price of one fsync. */
export const SYNCHRONOUS = 'FULL'

/**
 * Runs work in a write transaction. Inside another transaction it is a savepoint: work that fails is
 * undone alone. Work that returns a promise is refused, because the transaction would end before it.
 */
export interface Transaction {
  <T>(work: () => T): T
  /** Runs work that reads one consistent state, whatever other processes write meanwhile. */
  reading<T>(work: () => T): T
  /**
   * Runs a step of work that can be repeated after an interruption. A power cut may undo the last
   * steps; a crash of the process undoes none.
   */
  step<T>(work: () => T): T
}

export function transaction(db: Database): Transaction {
  const run = db.transaction((work: () => unknown) => work())
  const immediate = <T>(work: () => T): T => {
    if (db.inTransaction) return run(work) as T
    let begun = false
    const once = () => {
      begun = true
      return work()
    }
    return waitingForLock(
      db,
      () => run.immediate(once) as T,
      () => !begun,
    )
  }
  return Object.assign(immediate, {
    reading: <T>(work: () => T): T => run.deferred(work) as T,
    step: <T>(work: () => T): T => {
      // A savepoint is as durable as its transaction.
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

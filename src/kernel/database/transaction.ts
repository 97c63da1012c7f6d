import type { Database } from 'better-sqlite3'
import { runWithLock } from './lock-wait.ts'

/** A commit survives a power cut, at the price of one fsync. */
export const SYNCHRONOUS = 'FULL'

/** A write transaction, inside another one a savepoint. Work that returns a promise is refused. */
export interface Transaction {
  <T>(work: () => T): T
  /** One consistent state, whatever other processes write. */
  reading<T>(work: () => T): T
  /** For steps that can be repeated: a power cut may undo the last ones. */
  step<T>(work: () => T): T
}

export function transaction(db: Database): Transaction {
  const run = db.transaction((work: () => unknown) => work())
  const immediate = <T>(work: () => T): T => {
    if (db.inTransaction) return run(work) as T
    let hasBegun = false
    const runOnce = () => {
      hasBegun = true
      return work()
    }
    return runWithLock(
      db,
      () => run.immediate(runOnce) as T,
      () => !hasBegun,
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

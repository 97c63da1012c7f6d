import type { Database } from 'better-sqlite3'
import { ClosedError } from '../../values/errors.ts'

/**
 * Terminating a thread while better-sqlite3 waits crashes the process, so a long wait consists of
 * short ones.
 */
const WAIT_PIECE = 250

const ORDER_WORD = 0
const WAITING_WORD = 1

/** Values of the word `ORDER_WORD`. */
const WAIT_NO_LONGER = 1
const STAY_OUTSIDE = 2

/** Lets the thread that started an engine end its waits for locks. */
export class LockWaits {
  readonly #words: Int32Array

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.#words = new Int32Array(memory)
  }

  /** Ends the current wait and later ones, until {@link allowWaits}. */
  endWaits(): void {
    Atomics.store(this.#words, ORDER_WORD, WAIT_NO_LONGER)
  }

  /** Ends the current wait and forbids others. Returns when none is left, within a second. */
  forbidWaits(): void {
    Atomics.store(this.#words, ORDER_WORD, STAY_OUTSIDE)
    Atomics.wait(this.#words, WAITING_WORD, 1, 4 * WAIT_PIECE)
  }

  /** In the engine's thread: waits last as long as the connection's timeout again. */
  allowWaits(): void {
    Atomics.compareExchange(this.#words, ORDER_WORD, WAIT_NO_LONGER, 0)
  }

  /** In the engine's thread: begins an attempt to get a lock. */
  enterWait(): void {
    Atomics.store(this.#words, WAITING_WORD, 1)
    if (Atomics.load(this.#words, ORDER_WORD) !== STAY_OUTSIDE) return
    this.leaveWait()
    throw new ClosedError()
  }

  leaveWait(): void {
    Atomics.store(this.#words, WAITING_WORD, 0)
    Atomics.notify(this.#words, WAITING_WORD)
  }

  get mustEnd(): boolean {
    return Atomics.load(this.#words, ORDER_WORD) !== 0
  }
}

interface LockWait {
  milliseconds: number
  waits: LockWaits
}

const waitOfDatabase = new WeakMap<Database, LockWait>()

/** In milliseconds; `waits` lets another thread end them. */
export function setBusyTimeout(db: Database, milliseconds: number, waits?: LockWaits): void {
  waitOfDatabase.set(db, {
    milliseconds,
    waits: waits ?? waitOfDatabase.get(db)?.waits ?? new LockWaits(),
  })
  db.pragma(`busy_timeout = ${Math.min(milliseconds, WAIT_PIECE)}`)
}

export function busyTimeout(db: Database): number {
  return waitOfDatabase.get(db)?.milliseconds ?? 0
}

/**
 * The attempt has no effect when it throws SQLITE_BUSY; `mayRepeat` says whether another may
 * follow.
 */
export function runWithLock<T>(db: Database, attempt: () => T, mayRepeat = () => true): T {
  const wait = waitOfDatabase.get(db)
  if (!wait) return attempt()
  const { milliseconds, waits } = wait
  const start = performance.now()
  for (;;) {
    waits.enterWait()
    try {
      return attempt()
    } catch (error) {
      const remaining = milliseconds - (performance.now() - start)
      if (remaining <= 1 || waits.mustEnd || !isBusy(error) || !mayRepeat()) throw error
    } finally {
      waits.leaveWait()
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_BUSY_RECOVERY')
  )
}

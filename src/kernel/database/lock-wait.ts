import type { Database } from 'better-sqlite3'
import { ClosedError } from '../../values/errors.ts'

/**
 * Milliseconds of one wait of SQLite for another process's lock. Terminating a thread while
 * better-sqlite3 waits crashes the process: the addon cannot create its error in such a thread
 * (`ToLocalChecked` of V8). So a long wait consists of short ones, and ends between two of them.
 */
const PIECE = 250

/** Indices of the words in the shared memory. */
const ORDER = 0
const WAITING = 1

/** Values of the word `ORDER`. */
const WAIT_NO_LONGER = 1
const STAY_OUTSIDE = 2

/** Lets the thread that started an engine end its waits for locks. */
export class LockWaits {
  readonly #words: Int32Array

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.#words = new Int32Array(memory)
  }

  /** Ends the current wait and later ones, until {@link allow}. */
  shorten(): void {
    Atomics.store(this.#words, ORDER, WAIT_NO_LONGER)
  }

  /** Ends the current wait and forbids others. Returns when none is left, within a second. */
  forbid(): void {
    Atomics.store(this.#words, ORDER, STAY_OUTSIDE)
    Atomics.wait(this.#words, WAITING, 1, 4 * PIECE)
  }

  /** In the engine's thread: waits last as long as the connection's timeout again. */
  allow(): void {
    Atomics.compareExchange(this.#words, ORDER, WAIT_NO_LONGER, 0)
  }

  /** In the engine's thread: begins an attempt to get a lock. */
  enter(): void {
    Atomics.store(this.#words, WAITING, 1)
    if (Atomics.load(this.#words, ORDER) !== STAY_OUTSIDE) return
    this.leave()
    throw new ClosedError()
  }

  leave(): void {
    Atomics.store(this.#words, WAITING, 0)
    Atomics.notify(this.#words, WAITING)
  }

  get mustEnd(): boolean {
    return Atomics.load(this.#words, ORDER) !== 0
  }
}

interface Wait {
  milliseconds: number
  waits: LockWaits
}

const waitOf = new WeakMap<Database, Wait>()

/**
 * Sets how long a connection waits for the lock of another before SQLITE_BUSY, in milliseconds.
 *
 * @param waits - lets another thread end the waits
 */
export function setBusyTimeout(db: Database, milliseconds: number, waits?: LockWaits): void {
  waitOf.set(db, { milliseconds, waits: waits ?? waitOf.get(db)?.waits ?? new LockWaits() })
  db.pragma(`busy_timeout = ${Math.min(milliseconds, PIECE)}`)
}

/** How long a connection waits for the lock of another, in milliseconds. */
export function busyTimeout(db: Database): number {
  return waitOf.get(db)?.milliseconds ?? 0
}

/**
 * Runs a write that may have to wait for another process's lock.
 *
 * @param attempt - has no effect when it throws SQLITE_BUSY
 * @param mayRepeat - whether the attempt that just failed had no effect, so that it may run again
 */
export function waitingForLock<T>(db: Database, attempt: () => T, mayRepeat = () => true): T {
  const wait = waitOf.get(db)
  if (!wait) return attempt()
  const { milliseconds, waits } = wait
  const start = performance.now()
  for (;;) {
    waits.enter()
    try {
      return attempt()
    } catch (error) {
      const left = milliseconds - (performance.now() - start)
      if (left <= 1 || waits.mustEnd || !isBusy(error) || !mayRepeat()) throw error
    } finally {
      waits.leave()
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

import type { Database } from 'better-sqlite3'
import { ClosedError } from '../../values/errors.ts'

/**
 * Milliseconds that SQLite waits at a time for the lock of another process. A thread that is ended while
 * better-sqlite3 waits takes the process down: the addon cannot create its error in such a thread
 * (`ToLocalChecked` of V8). So a long wait consists of short ones, and ends between two of them.
 */
const PIECE = 250

/** What the words of the shared memory are. */
const ORDER = 0
const WAITING = 1

/** Values of the first word. */
const WAIT_NO_LONGER = 1
const STAY_OUTSIDE = 2

/** Lets the thread that started an engine end its waits for locks. */
export class LockWaits {
  readonly #words: Int32Array

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.#words = new Int32Array(memory)
  }

  /** Ends the wait that goes on, and those after it, until the engine ends. */
  shorten(): void {
    Atomics.store(this.#words, ORDER, WAIT_NO_LONGER)
  }

  /** Ends the wait that goes on, and forbids all others. Returns when there is none, after a second at most. */
  forbid(): void {
    Atomics.store(this.#words, ORDER, STAY_OUTSIDE)
    Atomics.wait(this.#words, WAITING, 1, 4 * PIECE)
  }

  /** In the engine's thread: waits are as long again as the connection's timeout says. */
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

  /** In the engine's thread: ends it. */
  leave(): void {
    Atomics.store(this.#words, WAITING, 0)
    Atomics.notify(this.#words, WAITING)
  }

  /** Whether a wait has to end. */
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
 * Does a write that may have to wait for another process's lock.
 *
 * @param attempt - what has no effect where it throws SQLITE_BUSY
 * @param mayRepeat - whether that is so after the attempt that has just failed
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

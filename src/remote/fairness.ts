import type { EngineHandle } from '../engine/handle.ts'
import { Turns } from '../kernel/turns.ts'
import { LARGE_AT_ONCE } from '../message-size.ts'

/** Calls that are with the engine at once: they keep it busy while answers are on their way. */
const CALLS_AT_ONCE = 16
/**
 * The share of the budget that each client has in any case, 1 MiB by default: as much may be read and not
 * acknowledged yet. Above it a client is told of no progress any more, only of ends.
 */
const SURE = 1 / 32
/** How many times the budget makes a client that does not read. Calls under way may end above it. */
const TOO_SLOW = 8

/** A client. */
export interface Reader {
  /** Bytes of answers and events that it has not acknowledged. */
  readonly backlog: number
  end(reason: 'too slow'): void
}

/** Shares an engine between clients: they take turns, and one budget is for all that they have not read. */
export class Fairness {
  readonly #budget: number
  readonly readers = new Set<Reader>()
  readonly #calls: Turns<Reader>
  readonly #large: Turns<Reader>

  /** @param budget - bytes that are kept for all readers */
  constructor(budget: number, engine: EngineHandle) {
    this.#budget = budget
    const mayEnter = (reader: Reader) => this.#hasRoom(reader)
    // It is refused without work, but only when all that came before it was begun.
    const passed = () => engine.call('', undefined, { apiKey: '', signal: undefined })
    this.#calls = new Turns(CALLS_AT_ONCE, mayEnter, passed)
    this.#large = new Turns(LARGE_AT_ONCE, mayEnter)
  }

  /**
   * Makes a call of a reader when it is its turn.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  run<T>(
    reader: Reader,
    isLarge: boolean,
    signal: AbortSignal,
    call: () => Promise<T>,
  ): Promise<T> {
    return (isLarge ? this.#large : this.#calls).run(reader, signal, call)
  }

  /** Rejects the calls of a reader that are not begun. */
  refuse(reader: Reader, reason: Error): void {
    this.#calls.refuse(reader, reason)
    this.#large.refuse(reader, reason)
  }

  /** Whether a reader is told of progress. */
  isFast({ backlog }: Reader): boolean {
    return backlog <= SURE * this.#budget
  }

  /** The backlog of a reader has changed. */
  update(): void {
    if (this.#kept > TOO_SLOW * this.#budget) {
      const slower = (one: Reader, other: Reader) => (other.backlog > one.backlog ? other : one)
      ;[...this.readers].reduce(slower).end('too slow')
    }
    this.#calls.next()
    this.#large.next()
  }

  /**
   * Whether a call of a reader may begin. For each as much is kept as is left for others (the dynamic
   * thresholds of Choudhury and Hahne, 1998): however many do not read, there is room for another one.
   */
  #hasRoom({ backlog }: Reader): boolean {
    return backlog <= Math.max(this.#budget - this.#kept, SURE * this.#budget)
  }

  get #kept(): number {
    let bytes = 0
    for (const { backlog } of this.readers) bytes += backlog
    return bytes
  }
}

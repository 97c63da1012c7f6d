import { Turns } from '../kernel/turns.ts'
import { LARGE_AT_ONCE } from '../values/message-size.ts'

/**
 * Calls that run at once, besides one of each client: enough to keep the engine busy while answers
 * are on their way. With 1,200 calls for large answers at once, none was answered for ten seconds.
 */
const CALLS_AT_ONCE = 16
/**
 * The share of the budget that each client always has, 1 MiB by default, for what it has read but
 * not acknowledged yet. Above it a client gets no events of progress, only those of ends.
 */
const SURE = 1 / 32
/** Above this multiple of the budget, the client with the largest backlog is dropped. */
const TOO_SLOW = 8

/** The kind of a call: `large` has large parameters, `wait` waits most of the time. */
type Effort = 'work' | 'large' | 'wait'

export interface Reader {
  /** Bytes of answers and events that it has not acknowledged. */
  readonly backlog: number
  end(reason: 'too slow'): void
}

/** Shares an engine between clients: they take turns, and share a budget for unread bytes. */
export class Fairness {
  readonly #budget: number
  readonly readers = new Set<Reader>()
  readonly #turns: Readonly<Record<Effort, Turns<Reader>>>

  /** @param budget - unread bytes that are kept for all readers together */
  constructor(budget: number) {
    this.#budget = budget
    const turns = (width: number) => new Turns<Reader>(width, (reader) => this.#hasRoom(reader))
    this.#turns = {
      work: turns(CALLS_AT_ONCE),
      large: turns(LARGE_AT_ONCE),
      wait: turns(Number.POSITIVE_INFINITY),
    }
  }

  /**
   * Runs a call of a reader when it is the reader's turn.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  run<T>(reader: Reader, effort: Effort, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    return this.#turns[effort].run(reader, signal, call)
  }

  /** Rejects the calls of a reader that have not started. */
  refuse(reader: Reader, reason: Error): void {
    for (const turns of Object.values(this.#turns)) turns.refuseClient(reader, reason)
  }

  /** Whether a reader gets events of progress. */
  isFast({ backlog }: Reader): boolean {
    return backlog <= SURE * this.#budget
  }

  /** Call it when the backlog of a reader has changed. */
  update(): void {
    if (this.#kept > TOO_SLOW * this.#budget) {
      const slower = (one: Reader, other: Reader) => (other.backlog > one.backlog ? other : one)
      ;[...this.readers].reduce(slower).end('too slow')
    }
    for (const turns of Object.values(this.#turns)) turns.startNext()
  }

  /**
   * Whether a call of a reader may start: its backlog must not exceed the free budget (the dynamic
   * thresholds of Choudhury and Hahne, 1998). However many do not read, there is room for one more.
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

import { Turns } from '../kernel/turns.ts'
import { LARGE_AT_ONCE } from '../values/message-size.ts'

/**
 * Calls that the engine works on at once, besides one of each client: they keep it busy while answers are on
 * their way. With 1,200 for large answers at once, none was answered for ten seconds.
 */
const CALLS_AT_ONCE = 16
/**
 * The share of the budget that each client has in any case, 1 MiB by default: as much may be read and not
 * acknowledged yet. Above it a client is told of no progress any more, only of ends.
 */
const SURE = 1 / 32
/** How many times the budget makes a client that does not read. Calls under way may end above it. */
const TOO_SLOW = 8

/** What a call asks of an engine: `large` is work by large parameters, `wait` is no work most of the time. */
type Effort = 'work' | 'large' | 'wait'

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
  readonly #turns: Readonly<Record<Effort, Turns<Reader>>>

  /** @param budget - bytes that are kept for all readers */
  constructor(budget: number) {
    this.#budget = budget
    const turns = (width: number) => new Turns<Reader>(width, (reader) => this.#hasRoom(reader))
    this.#turns = {
      ...{ work: turns(CALLS_AT_ONCE), large: turns(LARGE_AT_ONCE) },
      wait: turns(Number.POSITIVE_INFINITY),
    }
  }

  /**
   * Makes a call of a reader when it is its turn.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  run<T>(reader: Reader, effort: Effort, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    return this.#turns[effort].run(reader, signal, call)
  }

  /** Rejects the calls of a reader that are not begun. */
  refuse(reader: Reader, reason: Error): void {
    for (const turns of Object.values(this.#turns)) turns.refuse(reader, reason)
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
    for (const turns of Object.values(this.#turns)) turns.next()
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

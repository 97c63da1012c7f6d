import { Turns } from '../kernel/turns.ts'
import { CONCURRENT_LARGE_CALLS } from '../values/message-size.ts'

/** Besides one of each client: enough to keep the engine busy while answers are on their way. */
const CONCURRENT_CALLS = 16
/** Of the budget, what each client always has; above it a client gets no events of progress. */
const GUARANTEED_SHARE = 1 / 32
/** Of the budget; above it, the client with the largest backlog is dropped. */
const MAX_BACKLOG_FACTOR = 8

/** `large` has large parameters, `wait` waits most of the time. */
type CallEffort = 'work' | 'large' | 'wait'

export interface Reader {
  /** Bytes of answers and events that it has not acknowledged. */
  readonly backlog: number
  end(reason: 'too slow'): void
}

/** Clients take turns, and share a budget for unread bytes. */
export class Fairness {
  readonly #budget: number
  readonly readers = new Set<Reader>()
  readonly #turns: Readonly<Record<CallEffort, Turns<Reader>>>

  /** @param budget - unread bytes that are kept for all readers together */
  constructor(budget: number) {
    this.#budget = budget
    const turnsOf = (width: number) => new Turns<Reader>(width, (reader) => this.#hasRoom(reader))
    this.#turns = {
      work: turnsOf(CONCURRENT_CALLS),
      large: turnsOf(CONCURRENT_LARGE_CALLS),
      wait: turnsOf(Number.POSITIVE_INFINITY),
    }
  }

  /** @throws the signal's reason when it aborts during the wait */
  run<T>(
    reader: Reader,
    effort: CallEffort,
    signal: AbortSignal,
    call: () => Promise<T>,
  ): Promise<T> {
    return this.#turns[effort].run(reader, signal, call)
  }

  /** Only those that have not started. */
  refuse(reader: Reader, reason: Error): void {
    for (const turns of Object.values(this.#turns)) turns.refuseClient(reader, reason)
  }

  isFast({ backlog }: Reader): boolean {
    return backlog <= GUARANTEED_SHARE * this.#budget
  }

  /** Called when the backlog of a reader has changed. */
  update(): void {
    if (this.#keptBytes > MAX_BACKLOG_FACTOR * this.#budget) {
      const slowerReader = (reader: Reader, other: Reader) =>
        other.backlog > reader.backlog ? other : reader
      ;[...this.readers].reduce(slowerReader).end('too slow')
    }
    for (const turns of Object.values(this.#turns)) turns.startNext()
  }

  /** Its backlog must fit the free budget (dynamic thresholds, Choudhury and Hahne 1998). */
  #hasRoom({ backlog }: Reader): boolean {
    return backlog <= Math.max(this.#budget - this.#keptBytes, GUARANTEED_SHARE * this.#budget)
  }

  get #keptBytes(): number {
    let bytes = 0
    for (const { backlog } of this.readers) bytes += backlog
    return bytes
  }
}

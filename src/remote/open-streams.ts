/** Methods that leave something open at the engine, with the field that has its number. */
const OPENED: Readonly<Record<string, string>> = { 'track/watch': 'watch', 'track/scan': 'scan' }

interface Call {
  method: string
  params: unknown
  apiKey: string
}

/** The open watches and scans of a client. A client that dies does not end them itself. */
export class OpenStreams {
  readonly #make: (call: Call) => Promise<unknown>
  /** The calls that end what is open, by method and number. */
  readonly #ends = new Map<string, Call>()
  #ended = false

  constructor(make: (call: Call) => Promise<unknown>) {
    this.#make = make
  }

  /** Notes what a call has opened or ended. */
  note({ method, params, apiKey }: Call, answer: unknown): void {
    const field = OPENED[method]
    if (field === undefined) {
      this.#ends.delete(keyOf(method, params))
      return
    }
    const end = { method: `${method}-end`, params: { [field]: numberIn(answer, field) }, apiKey }
    if (this.#ended) this.#finish(end)
    else this.#ends.set(keyOf(end.method, end.params), end)
  }

  /** Ends everything that is open, or is opened later. */
  end(): void {
    this.#ended = true
    for (const end of this.#ends.values()) this.#finish(end)
    this.#ends.clear()
  }

  #finish(end: Call): void {
    // It may have ended by itself.
    void this.#make(end).catch(() => {})
  }
}

function keyOf(method: string, params: unknown): string {
  return `${method} ${numberIn(params, OPENED[method.replace(/-end$/, '')] ?? '')}`
}

function numberIn(given: unknown, field: string): unknown {
  return (given as Record<string, unknown> | null | undefined)?.[field]
}

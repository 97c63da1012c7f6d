/** Methods that leave something open at the engine, with the field of its number. */
const OPENING_METHODS: Readonly<Record<string, string>> = {
  'track/watch': 'watch',
  'track/scan': 'scan',
}

interface EngineCall {
  method: string
  params: unknown
  apiKey: string
}

/** A client that dies does not end its watches and scans itself. */
export class ClientStreams {
  readonly #makeCall: (call: EngineCall) => Promise<unknown>
  /** The calls that end what is open, by method and number. */
  readonly #endCalls = new Map<string, EngineCall>()
  #ended = false

  constructor(makeCall: (call: EngineCall) => Promise<unknown>) {
    this.#makeCall = makeCall
  }

  noteCall({ method, params, apiKey }: EngineCall, answer: unknown): void {
    const field = OPENING_METHODS[method]
    if (field === undefined) {
      this.#endCalls.delete(streamKey(method, params))
      return
    }
    const end = { method: `${method}-end`, params: { [field]: numberIn(answer, field) }, apiKey }
    if (this.#ended) this.#endStream(end)
    else this.#endCalls.set(streamKey(end.method, end.params), end)
  }

  /** Also what is opened later. */
  endAll(): void {
    this.#ended = true
    for (const end of this.#endCalls.values()) this.#endStream(end)
    this.#endCalls.clear()
  }

  #endStream(end: EngineCall): void {
    // It may have ended by itself.
    void this.#makeCall(end).catch(() => {})
  }
}

function streamKey(method: string, params: unknown): string {
  return `${method} ${numberIn(params, OPENING_METHODS[method.replace(/-end$/, '')] ?? '')}`
}

function numberIn(fields: unknown, field: string): unknown {
  return (fields as Record<string, unknown> | null | undefined)?.[field]
}

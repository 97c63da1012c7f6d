import { unlessAborted, withDeadline } from '../kernel/abort.ts'
import { performance } from '../kernel/timers.ts'
import { limitExceeded } from '../values/errors.ts'

/** The limits for reading an unwanted body: see {@link RequestBody.drain}. */
const DRAINED_BYTES = 16 * 1024 ** 2
const DRAINED_SECONDS = 1

/** The body of a request. It fails when no bytes arrive for `stalledSeconds`. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #stalledSeconds: number
  readonly #signal: AbortSignal
  #ahead: Uint8Array | undefined
  #ended = false

  constructor(body: ReadableStream<Uint8Array>, stalledSeconds: number, signal: AbortSignal) {
    this.#reader = body.getReader()
    this.#stalledSeconds = stalledSeconds
    this.#signal = signal
  }

  /** Whether the body is empty; waits for the first bytes. */
  async isEmpty(): Promise<boolean> {
    this.#ahead ??= await this.#next(this.#stalledSeconds)
    return this.#ahead === undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const piece = this.#ahead ?? (await this.#next(this.#stalledSeconds))
      this.#ahead = undefined
      if (piece === undefined) return
      yield piece
    }
  }

  /**
   * Reads the rest, up to a limit, and releases the stream. If a client is answered while it still
   * sends, its connection can be reset and the answer lost. Cancelling a Node stream also closes
   * the connection.
   */
  async drain(): Promise<void> {
    const until = performance.now() + DRAINED_SECONDS * 1000
    try {
      for (let size = 0; !this.#ended && size < DRAINED_BYTES; ) {
        const left = Math.max(0, until - performance.now())
        size += (await this.#next(left / 1000))?.length ?? 0
      }
      this.#reader.releaseLock()
    } catch {
      // The body failed or took too long; the creator of the request must close it.
    }
  }

  async #next(seconds: number): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const { done, value } = await withDeadline(
        this.#signal,
        seconds * 1000,
        () =>
          limitExceeded(
            'method',
            `the body stood still for the ${this.#stalledSeconds} s of limits.stalledSeconds`,
          ),
        (until) => unlessAborted(this.#reader.read(), until),
      )
      if (done) this.#ended = true
      else if (value.length > 0) return value
    }
    return undefined
  }
}

/** The same bytes; throws `error()` if there are more than `most`. */
export async function* capped(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  error: () => Error,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > most) throw error()
    yield piece
  }
}

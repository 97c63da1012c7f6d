import { unlessAborted, withDeadline } from '../kernel/abort.ts'
import { performance } from '../kernel/timers.ts'
import { limitExceeded } from '../values/errors.ts'

const MAX_DRAINED_BYTES = 16 * 1024 ** 2
const MAX_DRAIN_SECONDS = 1

/** Fails when no bytes arrive for `stalledSeconds`. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #stalledSeconds: number
  readonly #signal: AbortSignal
  #firstPiece: Uint8Array | undefined
  #ended = false

  constructor(body: ReadableStream<Uint8Array>, stalledSeconds: number, signal: AbortSignal) {
    this.#reader = body.getReader()
    this.#stalledSeconds = stalledSeconds
    this.#signal = signal
  }

  /** Waits for the first bytes. */
  async isEmpty(): Promise<boolean> {
    this.#firstPiece ??= await this.#readPiece(this.#stalledSeconds)
    return this.#firstPiece === undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const piece = this.#firstPiece ?? (await this.#readPiece(this.#stalledSeconds))
      this.#firstPiece = undefined
      if (piece === undefined) return
      yield piece
    }
  }

  /** Reads the unwanted rest: a client answered while it still sends can lose the answer. */
  async drain(): Promise<void> {
    const deadline = performance.now() + MAX_DRAIN_SECONDS * 1000
    try {
      for (let size = 0; !this.#ended && size < MAX_DRAINED_BYTES; ) {
        const remainingMilliseconds = Math.max(0, deadline - performance.now())
        size += (await this.#readPiece(remainingMilliseconds / 1000))?.length ?? 0
      }
      this.#reader.releaseLock()
    } catch {
      // The creator of the request closes a body that failed or took too long.
    }
  }

  async #readPiece(seconds: number): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const { done, value } = await withDeadline(
        this.#signal,
        seconds * 1000,
        () =>
          limitExceeded(
            'method',
            `the body stood still for the ${this.#stalledSeconds} s of limits.stalledSeconds`,
          ),
        (signal) => unlessAborted(this.#reader.read(), signal),
      )
      if (done) this.#ended = true
      else if (value.length > 0) return value
    }
    return undefined
  }
}

export async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  makeError: () => Error,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > maxBytes) throw makeError()
    yield piece
  }
}

import { type Host, type LogLevel, MESSAGE_BYTES } from './call.ts'
import { ParameterError } from './errors.ts'
import type { Logger } from './options.ts'

/** Bytes as an application may hand them over. */
export type ByteSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/**
 * The caller's side of an engine: keeps the streams that the engine reads piece by piece, and runs
 * the application's `fetch` and logger on the application's thread.
 */
export class LocalHost implements Host {
  readonly #fetch: typeof fetch
  readonly #logger: Logger
  readonly #sources = new Map<number, AsyncIterator<Uint8Array>>()
  #next = 1

  constructor(options: { fetch: typeof fetch; logger: Logger }) {
    this.#fetch = options.fetch
    this.#logger = options.logger
  }

  /** Keeps a stream for the engine to read and returns its number. */
  offer(bytes: ByteSource): number {
    const number = this.#next++
    this.#sources.set(number, inPieces(bytes))
    return number
  }

  async pull(source: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const iterator = this.#sources.get(source)
    if (!iterator) return undefined
    const { done, value } = await unlessAborted(iterator.next(), signal)
    if (!done) return value
    this.#sources.delete(source)
    return undefined
  }

  async release(source: number): Promise<void> {
    const iterator = this.#sources.get(source)
    this.#sources.delete(source)
    // Not awaited: a stream that hangs would hold up whoever gave it up for that.
    iterator?.return?.()?.catch(() => {})
  }

  async fetch(url: string, signal?: AbortSignal) {
    const response = await this.#fetch(url, signal ? { signal } : {})
    return {
      status: response.status,
      statusText: response.statusText,
      url: response.url || url,
      headers: Object.fromEntries(response.headers),
      source: this.offer(response.body ?? new Uint8Array()),
    }
  }

  log(level: LogLevel, message: string, detail?: unknown): void {
    try {
      this.#logger[level]?.(message, detail)
    } catch {
      // A logger that throws has nowhere left to say so.
    }
  }
}

/** Waits for a promise, but no longer than until the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

async function* inPieces(bytes: ByteSource): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunksOf(bytes)) {
    if (!(chunk instanceof Uint8Array)) {
      throw new ParameterError(
        'invalid_parameter',
        `bytes - Invalid parameter: the stream yielded a ${typeof chunk}; it must yield Uint8Array`,
      )
    }
    for (let from = 0; from < chunk.length; from += MESSAGE_BYTES) {
      // A copy: the piece may cross to another thread while the application goes on with its buffer.
      yield chunk.slice(from, from + MESSAGE_BYTES)
    }
  }
  return undefined
}

function chunksOf(bytes: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (bytes instanceof Uint8Array) return [bytes]
  if (bytes instanceof ArrayBuffer) return [new Uint8Array(bytes)]
  if (bytes instanceof Blob) return bytes.stream() as unknown as AsyncIterable<Uint8Array>
  if (typeof bytes === 'object' && bytes !== null && Symbol.asyncIterator in bytes) {
    return bytes as AsyncIterable<Uint8Array>
  }
  throw new ParameterError(
    'invalid_parameter',
    'bytes - Invalid parameter: must be a Uint8Array, ArrayBuffer, Blob, ReadableStream or async iterable of Uint8Array',
  )
}

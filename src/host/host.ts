import { unlessAborted } from '../kernel/abort.ts'
import type { Fetched, FetchOptions, Host, LogLevel } from '../kernel/host.ts'
import type { Logger } from '../options/options.ts'
import { type ByteSource, ByteStream } from '../values/byte-stream.ts'
import { invalidParameter } from '../values/errors.ts'

interface OfferedSource {
  stream: ByteStream
  leave: AbortController
  again: (() => ByteSource) | undefined
}

/**
 * Holds the streams that the engine reads, and runs `fetch` and logger on the application's thread.
 */
export class LocalHost implements Host {
  readonly #fetch: typeof fetch
  readonly #logger: Logger
  readonly #sources = new Map<number, OfferedSource>()
  #nextNumber = 1

  constructor(options: { fetch: typeof fetch; logger: Logger }) {
    this.#fetch = options.fetch
    this.#logger = options.logger
  }

  /**
   * Returns the stream's number.
   * @param bytes - or a function that makes them each time they are sent
   */
  offer(bytes: ByteSource | (() => ByteSource), leave = new AbortController()): number {
    const again = typeof bytes === 'function' ? bytes : isLasting(bytes) ? () => bytes : undefined
    const stream = new ByteStream(typeof bytes === 'function' ? bytes() : bytes)
    const number = this.#nextNumber++
    this.#sources.set(number, { stream, leave, again })
    return number
  }

  /** `undefined` if the bytes can be read only once. */
  again(source: unknown): (() => ByteSource) | undefined {
    return this.#sources.get(source as number)?.again
  }

  async pull(source: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const entry = this.#sources.get(source)
    if (!entry) {
      throw invalidParameter('source', `${source} was not offered`)
    }
    const piece = await unlessAborted(entry.stream.read(), signal)
    if (!piece) this.#sources.delete(source)
    return piece
  }

  async release(source: number): Promise<void> {
    const entry = this.#sources.get(source)
    this.#sources.delete(source)
    entry?.stream.cancel()
    entry?.leave.abort()
  }

  async fetch(url: string, signal?: AbortSignal, options: FetchOptions = {}): Promise<Fetched> {
    // `signal` covers the request only until the headers arrive, and the body may hang long after.
    const leave = new AbortController()
    const request = this.#fetch(url, { ...options, redirect: 'manual', signal: leave.signal })
    const response = await unlessAborted(request, signal).catch((error) => {
      leave.abort()
      // A fetch that ignores its signal may still answer, and nobody reads that body.
      request.then((lateResponse) => lateResponse.body?.cancel()).catch(() => {})
      throw error
    })
    return {
      status: response.status,
      statusText: response.statusText,
      url: response.url || url,
      headers: Object.fromEntries(response.headers),
      source: this.offer(response.body ?? new Uint8Array(), leave),
    }
  }

  log(level: LogLevel, message: string, detail?: unknown): void {
    try {
      if (detail === undefined) this.#logger[level]?.(message)
      else this.#logger[level]?.(message, detail)
    } catch {
      // There is nowhere to report an error of the logger.
    }
  }

  close(): void {
    for (const source of [...this.#sources.keys()]) void this.release(source)
  }
}

function isLasting(bytes: ByteSource): boolean {
  return bytes instanceof Uint8Array || bytes instanceof ArrayBuffer || bytes instanceof Blob
}

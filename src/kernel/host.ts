/** An HTTP response whose body waits on the caller's side as a source. */
export interface Fetched {
  status: number
  statusText: string
  /** The address that answered: another one where `fetch` follows redirects whatever it is told. */
  url: string
  headers: Record<string, string>
  source: number
}

/** How a URL is requested. */
export interface FetchOptions {
  headers?: Record<string, string>
}

/** Severities of the `logger` option. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/**
 * What the engine asks of the side that opened it, where streams, `fetch` and the logger live.
 * Across the thread boundary each member is one message and its answer.
 */
export interface Host {
  /** The next bytes of a source, at most {@link MESSAGE_BYTES}; `undefined` at its end. */
  pull(source: number, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Lets go of a source that is not read to its end. */
  release(source: number): Promise<void>
  /** Requests a URL with the `fetch` option; a redirect is answered as it is, a body as a source. */
  fetch(url: string, signal?: AbortSignal, options?: FetchOptions): Promise<Fetched>
  log(level: LogLevel, message: string, detail?: unknown): void
}

/** No message across the thread boundary carries more bytes than this (1 MB). */
export const MESSAGE_BYTES = 1_000_000

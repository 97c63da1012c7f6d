/** An HTTP response. Its body is a source of the host. */
export interface Fetched {
  status: number
  statusText: string
  /** The address that answered; another one when `fetch` followed a redirect by itself. */
  url: string
  headers: Record<string, string>
  source: number
}

export interface FetchOptions {
  headers?: Record<string, string>
}

/** Severities of the `logger` option. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The side that opened the engine; across a thread boundary each method is a message. */
export interface Host {
  /** The next bytes of a source, at most {@link MESSAGE_BYTES}; `undefined` at its end. */
  pull(source: number, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Releases a source that is not read to its end. */
  release(source: number): Promise<void>
  /** Requests a URL with the `fetch` option, without following redirects. */
  fetch(url: string, signal?: AbortSignal, options?: FetchOptions): Promise<Fetched>
  log(level: LogLevel, message: string, detail?: unknown): void
}

export const MESSAGE_BYTES = 1_000_000

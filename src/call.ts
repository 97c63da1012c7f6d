/** The key on whose behalf a call is made. */
export interface Caller {
  id: string
  commercial: boolean
}

/** What every method is told besides its parameters. */
export interface Call {
  caller: Caller
  /** Aborts the waiting; never the work that was already accepted. */
  signal: AbortSignal
}

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

/** An engine, wherever it runs. */
export interface EngineHandle {
  call(
    method: string,
    params: unknown,
    options: { apiKey: string; signal: AbortSignal | undefined },
  ): Promise<unknown>
  /** Aborts when it is closed, or has ended by itself, with what its calls are rejected with. */
  readonly ended: AbortSignal
  /**
   * Ends what goes on.
   *
   * @param patience - milliseconds that it may take. Default {@link CLOSE_PATIENCE}
   */
  close(patience?: number): Promise<void>
}

/**
 * Milliseconds that closing takes at most, all that it waits for together: calls and jobs that go
 * on, another process's lock, threads. What has not ended by then is left to the next engine on the
 * file, which takes jobs over as after a crash.
 */
export const CLOSE_PATIENCE = 5_000

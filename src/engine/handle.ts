export interface CallOptions {
  apiKey: string
  signal: AbortSignal | undefined
}

/** In this thread or in its own. */
export interface EngineHandle {
  call(method: string, params: unknown, options: CallOptions): Promise<unknown>
  /** With the reason that calls are rejected with. */
  readonly ended: AbortSignal
  /** @param patience - milliseconds that closing takes at most; default {@link CLOSE_PATIENCE} */
  close(patience?: number): Promise<void>
}

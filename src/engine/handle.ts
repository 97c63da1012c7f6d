/** The key of a call, and the signal that aborts it. */
export interface CallOptions {
  apiKey: string
  signal: AbortSignal | undefined
}

/** An engine, in this thread or in its own. */
export interface EngineHandle {
  call(method: string, params: unknown, options: CallOptions): Promise<unknown>
  /** Aborts when the engine ends, with the reason that its calls are rejected with. */
  readonly ended: AbortSignal
  /** @param patience - milliseconds that closing takes at most. Default {@link CLOSE_PATIENCE} */
  close(patience?: number): Promise<void>
}

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

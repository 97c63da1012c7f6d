/** An engine that another process serves. */
export interface OtherEngine {
  /** Calls one of its methods; see {@link EngineHandle.call}. */
  call(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  /** Aborts when the connection has ended for good; another one may be made. */
  readonly ended: AbortSignal
  close(): Promise<void>
}

/**
 * Connects to an engine that another process serves.
 *
 * @param log - is told when the connection is lost and made again
 * @throws {KeyError} when it refuses the key
 * @throws {ClosedError} when it cannot be reached
 */
export type ConnectOther = (
  address: string,
  apiKey: string,
  log: (level: 'info' | 'warn', message: string, detail?: unknown) => void,
) => Promise<OtherEngine>

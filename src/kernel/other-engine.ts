import type { EngineAddress, TlsOptions } from '../engine-address.ts'

/** An engine that another process serves. */
export interface OtherEngine {
  /** Calls one of its methods; see {@link EngineHandle.call}. */
  call(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  /** Aborts when the connection has ended for good; another one may be made. */
  readonly ended: AbortSignal
  /** Whether the connection was lost, and is looked for. */
  readonly isLost: boolean
  close(): Promise<void>
}

/** Where an engine is that another process serves, and how it is opened. */
export interface EngineTarget {
  engine: EngineAddress
  apiKey: string
  tls: TlsOptions
}

/**
 * Connects to an engine that another process serves.
 *
 * @param log - is told when the connection is lost and made again
 * @throws {KeyError} when it refuses the key
 * @throws {ClosedError} when it cannot be reached
 */
export type ConnectOther = (
  target: EngineTarget,
  log: (level: 'info' | 'warn', message: string, detail?: unknown) => void,
) => Promise<OtherEngine>

import type { EngineAddress, TlsOptions } from '../options/engine-address.ts'

export interface OtherEngine {
  /** Calls one of its methods; see {@link EngineHandle.call}. */
  call(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  /** Aborts when the connection has ended for good; a new one may be made. */
  readonly ended: AbortSignal
  /** Whether the connection was lost, and attempts to reconnect go on. */
  readonly isLost: boolean
  close(): Promise<void>
}

/** The address of an engine that another process serves, and how to connect to it. */
export interface EngineTarget {
  engine: EngineAddress
  apiKey: string
  tls: TlsOptions
}

/**
 * `log` is called when the connection is lost or restored.
 *
 * @throws {KeyError} when it refuses the key
 * @throws {ClosedError} when it cannot be reached
 */
export type ConnectOther = (
  target: EngineTarget,
  log: (level: 'info' | 'warn', message: string, detail?: unknown) => void,
) => Promise<OtherEngine>

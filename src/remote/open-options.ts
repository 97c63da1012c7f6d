import { z } from 'zod'
import { type EngineAddress, engineAddress, type TlsOptions } from '../options/engine-address.ts'
import { type AudileOptions, type Logger, loggerSchema, OPTION_NAMES } from '../options/options.ts'
import { parseOptions } from '../options/validate.ts'
import { invalidParameter } from '../values/errors.ts'

/** The options of `Audile.open` for an engine that another process serves. An unknown one is an error. */
export interface RemoteOptions {
  /** The engine's address: `unix:/path`, `ws://host:port/path` or `wss://host/path`. */
  engine: EngineAddress
  /** The API key of calls without `as()`; a key of the engine's database. Default `local`. */
  apiKey?: string | undefined
  /** Seconds in which the client tries to reconnect after a lost connection. Default 60. */
  reconnectSeconds?: number | undefined
  /** TLS for `wss:`. Default: the authorities of Node, and those in `NODE_EXTRA_CA_CERTS`. */
  tls?: TlsOptions | undefined
  /** Receives messages about events that fail no call. Default: none are reported. */
  logger?: Logger | undefined
}

/** Even at a wrong address. */
export function isRemote(options: AudileOptions | RemoteOptions): options is RemoteOptions {
  const { engine, database } = (options ?? {}) as { engine?: unknown; database?: unknown }
  if (typeof engine !== 'string') return false
  return /^(?:unix:|wss?:)/.test(engine) || (database === undefined && /^$|[:/]/.test(engine))
}

const REMOTE_SCHEMA = z.strictObject({
  ...engineAddress,
  reconnectSeconds: z.number().min(0).max(2_147_483).default(60),
  logger: loggerSchema.default({}),
})

/**
 * @throws {ParameterError} on options of the engine's own process, unknown ones, and values out of
 * range
 */
export function remoteOptions(options: RemoteOptions): z.output<typeof REMOTE_SCHEMA> {
  const engineOptions = Object.keys(options).filter(
    (name) => OPTION_NAMES.includes(name) && !(name in REMOTE_SCHEMA.shape),
  )
  if (engineOptions.length > 0) {
    throw invalidParameter(
      engineOptions.join(', '),
      'not with the engine of another process; set it where that is opened',
    )
  }
  return parseOptions(REMOTE_SCHEMA, options, 'Audile.open')
}

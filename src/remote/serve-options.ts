import type { IncomingMessage, Server } from 'node:http'
import { z } from 'zod'
import { callable, nonEmpty, positive, seconds } from '../parameter-types.ts'
import { parseOptions } from '../validate.ts'

/** Where an engine is served. */
export type ListenAddress =
  /** A socket in the file system, `unix:/path`, which only this user may use. On Windows, `unix:\\.\pipe\NAME`. */
  | `unix:${string}`
  | {
      /** A TCP port; 0 is any free one. */
      port: number
      /** The address of an interface. Default `127.0.0.1`: this machine only. */
      host?: string | undefined
    }
  | {
      /** A server of yours, http or https. It is neither started nor closed here. */
      server: Server
      /** The path of the requests that are for the engine; others are left alone. Default `/`. */
      path?: string | undefined
    }

/** The options of {@link serveEngine}. */
export interface ServeOptions {
  /** Where it listens. */
  listen: ListenAddress
  /**
   * Whether clients may do all that this process may: name files and folders of this machine, have
   * addresses downloaded, manage keys and feeds, import tracks, back up, and call with the key `local`.
   * Default: true on a `unix:` socket, false otherwise.
   */
  trusted?: boolean | undefined
  /**
   * Admits a connection, besides its key: by its address, a certificate, or a header of a proxy. The
   * request is that of the WebSocket. Default: all.
   */
  authorize?: ((request: IncomingMessage) => boolean | Promise<boolean>) | undefined
  /** Clients at once. Default 100. */
  connections?: number | undefined
  /** Calls of one client at once; more wait at the client. Default 1,000. */
  calls?: number | undefined
  /** Bytes of one call of a client, whose streams do not count. Default 16 MiB. */
  messageBytes?: number | undefined
  /**
   * Bytes that are kept for clients which have not read them, for all together. A client for which as
   * much is kept as is left has no further call begun; above a 32nd it is told of no progress. Above the
   * eightfold, the client for which most is kept is dropped. Default 32 MiB.
   */
  backlogBytes?: number | undefined
  /**
   * Seconds that a client without a connection has to come back. Its calls go on meanwhile, and their
   * answers are kept. Default 60.
   */
  sessionSeconds?: number | undefined
  /** Seconds between two heartbeats. A client that is silent for two of them is cut. Default 10. */
  heartbeatSeconds?: number | undefined
}

const listen = z.union([
  z.custom<`unix:${string}`>(
    (value) => typeof value === 'string' && /^unix:./.test(value),
    'must be unix:/path, { port, host } or { server, path }',
  ),
  z.strictObject({ port: z.int().min(0).max(65_535), host: nonEmpty.optional() }),
  z.strictObject({
    server: z.custom<Server>(
      (value) => typeof (value as Partial<Server> | null)?.on === 'function',
    ),
    path: z.string().startsWith('/').optional(),
  }),
])

const schema = z.strictObject({
  listen,
  trusted: z.boolean().optional(),
  authorize: callable<NonNullable<ServeOptions['authorize']>>().optional(),
  connections: z.int().positive().default(100),
  calls: z.int().positive().default(1_000),
  messageBytes: z
    .int()
    .min(10_000)
    .max(2 ** 30)
    .default(16 * 1024 ** 2),
  backlogBytes: z
    .int()
    .min(1_000)
    .default(32 * 1024 ** 2),
  sessionSeconds: seconds.default(60),
  heartbeatSeconds: positive.max(3_600).default(10),
})

/** The options with their defaults. */
export type Serving = z.output<typeof schema> & { trusted: boolean }

/** @throws {ParameterError} on an unknown option or a value out of range */
export function servingOf(options: ServeOptions): Serving {
  const given = parseOptions(schema, options, 'serveEngine')
  return { ...given, trusted: given.trusted ?? typeof given.listen === 'string' }
}

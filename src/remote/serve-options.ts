import type { IncomingMessage, Server } from 'node:http'
import { z } from 'zod'
import { functionSchema, nonEmpty, positive, seconds } from '../options/parameter-types.ts'
import { parseOptions } from '../options/validate.ts'

/** The address at which an engine is served. */
export type ListenAddress =
  /** A socket file for this user only, `unix:/path`. On Windows, `unix:\\.\pipe\NAME`. */
  | `unix:${string}`
  | {
      /** A TCP port; 0 is any free one. */
      port: number
      /** The address of an interface. Default `127.0.0.1`: this machine only. */
      host?: string | undefined
    }
  | {
      /** Your own http or https server. audile neither starts nor closes it. */
      server: Server
      /** The path of requests to the engine; other requests are ignored. Default `/`. */
      path?: string | undefined
    }

/** The options of {@link serveEngine}. */
export interface ServeOptions {
  /** The address to listen on. */
  listen: ListenAddress
  /**
   * Whether clients may do all that this process may: name files and folders of this machine, have
   * addresses downloaded, manage keys and feeds, import tracks, back up, and call with the key `local`.
   * Default: true on a `unix:` socket, false otherwise.
   */
  trusted?: boolean | undefined
  /**
   * Decides whether to admit a connection with a valid key: by its address, a certificate, or a
   * header of a proxy. The request is that of the WebSocket. Default: admits all.
   */
  authorize?: ((request: IncomingMessage) => boolean | Promise<boolean>) | undefined
  /** The most clients at once. Default 100. */
  connections?: number | undefined
  /** The most calls of one client at once; more wait at the client. Default 1,000. */
  calls?: number | undefined
  /** The most bytes of one call of a client, without its streams. Default 16 MiB. */
  messageBytes?: number | undefined
  /**
   * Unread bytes that are kept for all clients together. No further call of a client starts while
   * its part exceeds what is left; above 1/32 of the total it gets no events of progress. Above 8
   * times the total, the client with the most unread bytes is dropped. Default 32 MiB.
   */
  backlogBytes?: number | undefined
  /**
   * Seconds in which a client that lost its connection may come back. Its calls continue meanwhile,
   * and their answers are kept. Default 60.
   */
  sessionSeconds?: number | undefined
  /** Seconds between two heartbeats. A client that is silent for two of them is cut. Default 10. */
  heartbeatSeconds?: number | undefined
}

const listenSchema = z.union([
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

const SERVE_SCHEMA = z.strictObject({
  listen: listenSchema,
  trusted: z.boolean().optional(),
  authorize: functionSchema<NonNullable<ServeOptions['authorize']>>().optional(),
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

export type ServeConfig = z.output<typeof SERVE_SCHEMA> & { trusted: boolean }

/** @throws {ParameterError} on an unknown option or a value out of range */
export function parseServeOptions(options: ServeOptions): ServeConfig {
  const config = parseOptions(SERVE_SCHEMA, options, 'serveEngine')
  return { ...config, trusted: config.trusted ?? typeof config.listen === 'string' }
}

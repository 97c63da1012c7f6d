import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { functionSchema, positive, seconds } from '../options/parameter-types.ts'
import { parseOptions } from '../options/validate.ts'
import { Origins, originOf } from './origins.ts'

const LIMITS_SCHEMA = z.strictObject({
  /** Bytes of one uploaded file or download. Default 4 GiB. */
  uploadBytes: positive.default(4 * 1024 ** 3),
  /** Bytes of the `data` of a catalog update. Default 1 GiB. */
  updateBytes: positive.default(1024 ** 3),
  /** Bytes of one entry of an update. Default 1 MB. */
  entryBytes: positive.default(1_000_000),
  /** Bytes of the `query` of song/identify, which is held in memory. Default 64 MiB. */
  queryBytes: positive.default(64 * 1024 ** 2),
  /** Bytes of all other parameters together. Default 1 MiB. */
  parameterBytes: positive.default(1024 ** 2),
  /** Parameters in one request. Default 1,000. */
  parameters: positive.default(1000),
  /** Levels of nesting in JSON. Default 32. */
  // At most 64, because answers are written recursively.
  depth: z.int().positive().max(64).default(32),
  /** Seconds that a download may take. Default 300. */
  downloadSeconds: seconds.default(300),
  /** Seconds without a byte of the body, after which the request fails. Default 60. */
  stalledSeconds: seconds.default(60),
  /** Seconds that `wait=true` waits before the track is answered as `pending`. Default 300. */
  waitSeconds: seconds.default(300),
})

/** Limits of one request. A request that exceeds one gets an error 5 that names it. */
export interface WireLimits extends z.output<typeof LIMITS_SCHEMA> {}

/** The options of `createHandler`. An unknown one is an error. */
export interface WireOptions {
  /** Calls per key and minute, which `X-RateLimit-*` headers report. Default: no limit. */
  rateLimit?: number | undefined
  /**
   * Whether the `url` of track/upload may lead to an address that is not public, or a function that
   * decides for each such IP address. Default false.
   */
  allowPrivate?: boolean | ((address: string) => boolean) | undefined
  /**
   * The handler's own address before `/api/v4`, e.g. `https://example.org/music`. Set it if
   * requests come over HTTP. Without it, the `Host` header of each request determines the
   * `analysis_url`, and which pages are the handler's own.
   */
  baseUrl?: string | undefined
  /**
   * The origins whose pages may read answers, as browsers write them (`https://example.org:8443`,
   * `app://mine`), or true for all pages. Default: only the handler's own origin.
   *
   * Pages of other origins cannot use the default key `local`; with `true`, only the handler's own
   * pages can use it.
   */
  cors?: true | readonly string[] | undefined
  /**
   * The HTTP status of methods that fail, for clients that read the error code only from a 200.
   * Default: 400, 403, 405, 429 or 500 by the kind of error; an unknown id or md5 is a 400.
   */
  errorStatus?: 200 | undefined
  /** Signs each `analysis_url`. Default: random, so that addresses are valid until the process ends. */
  secret?: string | undefined
  /** Called with the error when an answer says only "Unknown error". */
  onError?: ((error: unknown) => void) | undefined
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined
  /** Limits that differ from the defaults. */
  limits?: Partial<WireLimits> | undefined
}

export interface WireConfig extends Pick<WireOptions, 'rateLimit' | 'baseUrl' | 'errorStatus'> {
  allowAddress: (address: string) => boolean
  origins: Origins
  secret: string
  onError: (error: unknown) => void
  now: () => number
  limits: Readonly<WireLimits>
}

const OPTIONS_SCHEMA = z.strictObject({
  rateLimit: z.int().positive().optional(),
  allowPrivate: z
    .union([z.boolean(), functionSchema<(address: string) => boolean>()])
    .default(false),
  baseUrl: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]*:\/\/[^?#]+$/i, 'must be an address, as https://example.org/music')
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  cors: z
    .union([
      z.literal(true),
      z.array(
        z.string().refine((text) => originOf(text) !== undefined, {
          error: 'must be an origin, as https://example.org; for all pages set cors to true',
        }),
      ),
    ])
    .default([]),
  errorStatus: z.literal(200).optional(),
  secret: z
    .string()
    .min(16, 'must have 16 characters at least')
    .default(() => randomBytes(32).toString('hex')),
  onError: functionSchema<(error: unknown) => void>().default(() => () => {}),
  now: functionSchema<() => number>().default(() => () => Date.now()),
  limits: LIMITS_SCHEMA.prefault({}),
})

export function resolveWireOptions(options: WireOptions): WireConfig {
  const { allowPrivate, cors, onError, ...otherOptions } = parseOptions(
    OPTIONS_SCHEMA,
    options,
    'createHandler',
  )
  return {
    ...otherOptions,
    allowAddress: typeof allowPrivate === 'function' ? allowPrivate : () => allowPrivate,
    origins: new Origins(cors, otherOptions.baseUrl),
    onError(error) {
      try {
        onError(error)
      } catch {
        // An error of `onError` itself cannot be reported.
      }
    },
  }
}

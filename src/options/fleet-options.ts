import { z } from 'zod'
import { invalidParameter } from '../values/errors.ts'
import { nonEmpty } from './parameter-types.ts'
import { parseOptions } from './validate.ts'

/** The queue and the store of a fleet, for the owner and the workers. */
export interface FleetPlaces {
  /**
   * The queue: `postgres://user:password@host/database` with the package pg-boss, or
   * `redis://host:6379` (`rediss:` with TLS; Redis or Valkey) with the package bullmq.
   */
  queue: string
  /**
   * The store of audio and results: a folder that all machines share, or
   * `s3://bucket/prefix?endpoint=https://…&region=…` with the package aws4fetch. Its keys come
   * from the environment of the owner, by the names that other S3 clients use: `AWS_ACCESS_KEY_ID`,
   * `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`.
   */
  store: string
  /**
   * Seconds without a report after which a worker counts as dead and its jobs go to others,
   * 2…3,600. Set the same value for the owner and the workers. Default 60.
   */
  silence?: number | undefined
}

/** The options of {@link fleet}. */
export interface FleetOptions extends FleetPlaces {
  /**
   * The maximum number of jobs in the queue and at workers at once, 1…100,000. About four times the
   * threads of all workers keeps them busy. Default 100.
   */
  ahead?: number | undefined
}

/** The result of {@link fleet}, for the option `analysis` of `Audile.open`. Plain data. */
export type FleetDescription = {
  readonly [Name in keyof FleetOptions]-?: NonNullable<FleetOptions[Name]>
}

/** Analysis reports twice a second, so a silent minute is a dead or swapping machine. */
const DEFAULT_SILENCE_SECONDS = 60
const DEFAULT_JOBS_AHEAD = 100

const QUEUE_ADDRESS = /^(postgres(ql)?|rediss?):\/\//
const BUCKET_ADDRESS = /^s3:\/\/[^/?#]+/

export const fleetPlaces = {
  queue: nonEmpty
    .regex(QUEUE_ADDRESS, 'is no address that begins with postgres: or redis:')
    .transform(checkQueueAddress),
  store: nonEmpty.transform(checkStoreAddress),
  silence: z.int().min(2).max(3600).default(DEFAULT_SILENCE_SECONDS),
}

/** As {@link fleet} and the option `analysis` of `Audile.open` take it. */
export const fleetSchema = z.strictObject({
  ...fleetPlaces,
  ahead: z.int().min(1).max(100_000).default(DEFAULT_JOBS_AHEAD),
} satisfies Record<keyof FleetOptions, z.ZodType>)

/**
 * Describes a fleet of workers, for `Audile.open({ database, analysis })`: files are then analysed and
 * fingerprinted by the workers that `serveFleet` or `audile worker` runs, on this machine or others.
 * No connection is made before the database is opened.
 *
 * @throws {ParameterError} on an unknown option or a value out of range
 *
 * @example
 * ```ts
 * import { Audile } from 'audile'
 * import { fleet } from 'audile/fleet'
 *
 * const analysis = fleet({
 *   queue: 'postgres://audile@queue.example/audile',
 *   store: '/mnt/shared/audile',
 *   ahead: 1000,
 * })
 * const music = await Audile.open({ database: 'music.db', analysis })
 * ```
 */
export function fleet(options: FleetOptions): FleetDescription {
  return parseOptions(fleetSchema, options, 'fleet')
}

/** @throws {ParameterError} when it is not a valid URL; the message omits the password */
function checkQueueAddress(queue: string): string {
  if (URL.canParse(queue)) return queue
  const remedy = 'write special characters of the password as encodeURIComponent does'
  throw invalidParameter(
    'queue',
    `it cannot be read as an address; ${remedy}, and a port from 0 to 65,535`,
  )
}

/** @throws {ParameterError} when it is neither a bucket nor a folder's path */
function checkStoreAddress(store: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(store)?.[1]
  if (scheme === undefined || BUCKET_ADDRESS.test(store)) return store
  throw invalidParameter('store', `"${scheme}:"; give the path of a folder, or s3://bucket/prefix`)
}

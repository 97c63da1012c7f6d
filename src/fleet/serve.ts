import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { LocalHost } from '../host/host.ts'
import { Limiter } from '../kernel/limiter.ts'
import { type FleetPlaces, fleetPlaces } from '../options/fleet-options.ts'
import { type Logger, loggerSchema, threadOptions, threadsOf } from '../options/options.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { parseOptions } from '../options/validate.ts'
import { makeAudioFolder } from './audio-folder.ts'
import { QUEUE_NAME } from './fleet-task.ts'
import { FleetServer, type FleetWorker } from './fleet-worker.ts'
import { openQueue, openStore, tryBoth } from './open.ts'
import { Pools } from './pools.ts'
import { Retries } from './retry.ts'

/** The options of `serveFleet`. */
export interface ServeFleetOptions extends Omit<FleetPlaces, 'store'> {
  /**
   * The store, as its owners name it. Without one, a worker does the jobs of owners whose store is
   * a bucket: each job carries signed addresses, for its audio and its result only.
   */
  store?: string | undefined
  /** As in `Audile.open`: threads that analyse. 0: the calling thread. */
  workers?: number | 'gentle' | undefined
  /** The built worker script, when a bundler moved it. */
  workerPath?: string | undefined
  /**
   * As in `Audile.open`: this machine's ffmpeg, for the files of owners that were opened with one.
   * Without it, a file that needs ffmpeg goes to another worker.
   */
  ffmpegPath?: string | undefined
  /** The folder for audio during analysis. Default: the system's folder for temporary files. */
  temporary?: string | undefined
  /** Receives messages about events that fail no job, such as a server that does not answer. */
  logger?: Logger | undefined
}

const serveFleetOptions = z.strictObject({
  ...fleetPlaces,
  store: fleetPlaces.store.optional(),
  ...threadOptions,
  temporary: nonEmpty.optional(),
  logger: loggerSchema.optional(),
} satisfies Record<keyof ServeFleetOptions, z.ZodType>)

/**
 * Works for a fleet until it is closed: takes jobs from the queue, analyses their audio in threads, and
 * puts the results into the store. It needs no database; the limits are those of the owner of each job.
 * Any number of processes and machines may do so.
 *
 * If it ends without `close`, other workers do its jobs after `silence` seconds.
 *
 * @throws {ParameterError} on an unknown option or a value out of range, when a package for the queue
 *   or the store is not installed, or when one of them refuses for good
 *
 * @example
 * ```ts
 * import { serveFleet } from 'audile/fleet'
 *
 * const worker = await serveFleet({
 *   queue: 'postgres://audile@queue.example/audile',
 *   store: '/mnt/shared/audile',
 *   workers: 16,
 * })
 * process.once('SIGTERM', () => void worker.close())
 * ```
 */
export async function serveFleet(options: ServeFleetOptions): Promise<FleetWorker> {
  const config = parseOptions(serveFleetOptions, options, 'serveFleet')
  const { queue: url, store: address, silence } = config
  const host = new LocalHost({ fetch: globalThis.fetch, logger: config.logger ?? {} })
  const log = host.log.bind(host)
  const width = Math.max(1, threadsOf(config))
  const persistence = new Retries(log)
  const { heard: onError } = persistence
  const queue = await openQueue({ url, name: QUEUE_NAME, silence, supervises: true, onError })
  const store = address === undefined ? undefined : await openStore(address)
  const folder = await makeAudioFolder(config.temporary)
  const id = randomUUID()
  try {
    await tryBoth(persistence, queue, () => queue.present(id), store)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const bench = { queue, store, folder, persistence, pools: new Pools(config) }
  return new FleetServer(
    { ...bench, analysing: new Limiter(width) },
    { id, threads: width, silence, log },
  )
}

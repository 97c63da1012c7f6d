import { z } from 'zod'
import { type FleetPlaces, places } from '../fleet-options.ts'
import { type Logger, loggerSchema, threadOptions } from '../options.ts'
import { nonEmpty } from '../parameter-types.ts'

/** The options of `serveFleet`. */
export interface ServeFleetOptions extends Omit<FleetPlaces, 'store'> {
  /**
   * The store, as its owners name it. Without one, a worker does the jobs of owners whose store is a
   * bucket: each carries addresses that they signed, for its audio and its result only.
   */
  store?: string | undefined
  /** Threads that analyse. Default min(4, cores − 1), at least 1. 0: the calling thread. */
  workers?: number | undefined
  /** The built worker script, when a bundler moved it. */
  workerPath?: string | undefined
  /**
   * As in `Audile.open`: this machine's ffmpeg, for the files of owners that were opened with one. A
   * file that needs it goes to another worker where there is none.
   */
  ffmpegPath?: string | undefined
  /** The folder for audio while it is analysed. Default: that of the system for temporary files. */
  temporary?: string | undefined
  /** Receives messages about events that fail no job: a server that does not answer. */
  logger?: Logger | undefined
}

/** The schema of {@link ServeFleetOptions}. */
export const serveOptions = z.strictObject({
  ...places,
  store: places.store.optional(),
  ...threadOptions,
  temporary: nonEmpty.optional(),
  logger: loggerSchema.optional(),
} satisfies Record<keyof ServeFleetOptions, z.ZodType>)

import { accessSync, constants, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import { LOCAL_KEY } from './engine-address.ts'
import { invalidParameter } from './errors.ts'
import { type FleetDescription, fleetValue } from './fleet-options.ts'
import type { LogLevel } from './kernel/host.ts'
import { callable, nonEmpty, positive, seconds } from './parameter-types.ts'
import {
  type ReferenceConfig,
  referenceList,
  referencesOf,
  type ServedReferenceOptions,
} from './reference-options.ts'
import { parseOptions } from './validate.ts'

/** Receives messages about events that fail no call: a listener that threw, a worker that was replaced. */
export type Logger = Partial<Record<LogLevel, (message: string, detail?: unknown) => void>>

/** Limits on input. The error of each names the limit. */
export interface Limits {
  /** Bytes of one uploaded file or download. Default 4 GiB. */
  uploadBytes: number
  /** Seconds that one download may take. Default 300. */
  downloadSeconds: number
  /** Seconds of decoded audio. Default 21,600 (6 h). */
  decodedSeconds: number
  /** Seconds that decoding and analysing one file may take. Default 3,600. */
  analysisSeconds: number
  /** Channels of one file. Default 32. */
  channels: number
  /** Memory of one analysis worker's JavaScript heap in MB. Default 1,024. */
  workerMegabytes: number
  /** Seconds after which a worker that reports nothing counts as stuck. Default 120. */
  stalledSeconds: number
  /**
   * Bytes that are read for a file's tags, with the covers among them. A file that needs more counts
   * as a file without tags, and that is logged. Default 64 MiB.
   */
  tagBytes: number
  /** Seconds that reading a file's tags may take, with the same consequence. Default 10. */
  tagSeconds: number
  /** Items of one catalog. Default 100,000, as in the specification. */
  catalogItems: number
  /** Catalogs of one key that is not commercial. Default 1,000, as in the specification. */
  keyCatalogs: number
  /** Bytes of one feed, decompressed. Default 10 MiB. */
  feedBytes: number
  /** Seconds that the download of one feed may take, redirects included. Default 60. */
  feedSeconds: number
  /**
   * Seconds in which a reference that another process serves must answer each of the questions that a
   * call asks it. Default 10.
   */
  referenceSeconds: number
}

/** The options of `Audile.open`. An unknown one is an error. */
export interface AudileOptions {
  /** Path of the SQLite database, which is created if it does not exist; `':memory:'` keeps nothing. */
  database: string
  /**
   * Other databases of audile whose songs `identify` finds too, with `reference` in the answer. They
   * are only read, and any number of processes may have them open. Each is a path, or the address of an
   * engine that has it open and is served (`serveEngine`): `unix:/path`, `ws://…`, `wss://…`.
   */
  references?: readonly (string | ServedReferenceOptions)[] | undefined
  /** The API key of calls without `as()`. Default `local`. */
  apiKey?: string | undefined
  /** `'thread'` (default) runs SQLite and the jobs in their own thread, `'inline'` in the caller's. */
  engine?: 'thread' | 'inline' | undefined
  /**
   * Machines that analyse and fingerprint in place of this one, as `fleet` of `audile/fleet` describes
   * them. Default: the threads of `workers`.
   */
  analysis?: FleetDescription | undefined
  /** Threads that decode and analyse. Default min(4, cores − 1), at least 1. 0: the engine's thread. */
  workers?: number | undefined
  /** The built worker script, when a bundler moved it. */
  workerPath?: string | undefined
  /** The built engine script, when a bundler moved it. */
  enginePath?: string | undefined
  /** Path of better-sqlite3's native addon, for bundlers and asar. */
  nativeBinding?: string | undefined
  /** Keep uploaded bytes and downloads beside the database for re-analysis. Default true. */
  keepAudio?: boolean | undefined
  /**
   * The host's ffmpeg, for files that audile cannot decode itself, and for files that its decoders
   * fail on: a path, or a bare name that is looked up in PATH. It can open only the file that it is
   * given.
   */
  ffmpegPath?: string | undefined
  /**
   * Downloads uploads by URL and feeds. Default the global `fetch`. With `redirect: 'manual'` it must
   * answer with the redirect itself, as Node's does, since every address on the way is checked.
   */
  fetch?: typeof fetch | undefined
  /** The clock, in milliseconds since 1970; with `engine: 'inline'` only. */
  now?: (() => number) | undefined
  /** Receives messages about events that fail no call. Default: none are reported. */
  logger?: Logger | undefined
  /** Limits that replace the defaults. */
  limits?: Partial<Limits> | undefined
}

const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  uploadBytes: 4 * 1024 ** 3,
  downloadSeconds: 300,
  decodedSeconds: 6 * 3600,
  analysisSeconds: 3600,
  channels: 32,
  workerMegabytes: 1024,
  stalledSeconds: 120,
  tagBytes: 64 * 1024 ** 2,
  tagSeconds: 10,
  catalogItems: 100_000,
  keyCatalogs: 1000,
  feedBytes: 10 * 1024 ** 2,
  feedSeconds: 60,
  referenceSeconds: 10,
})

/** Checks a {@link Logger}. */
export const loggerSchema = z.custom<Logger>((value) => typeof value === 'object' && value !== null)

/** The options of threads that analyse. */
export const threadOptions = {
  workers: z.int().min(0).max(64).optional(),
  workerPath: nonEmpty.optional(),
  ffmpegPath: nonEmpty.optional(),
}

const limitsSchema = z.strictObject({
  uploadBytes: positive.optional(),
  downloadSeconds: seconds.optional(),
  decodedSeconds: positive.optional(),
  analysisSeconds: positive.optional(),
  channels: z.int().positive().optional(),
  workerMegabytes: positive.optional(),
  stalledSeconds: seconds.optional(),
  tagBytes: positive.optional(),
  tagSeconds: seconds.optional(),
  catalogItems: z.int().positive().optional(),
  keyCatalogs: z.int().positive().optional(),
  feedBytes: positive.optional(),
  feedSeconds: seconds.optional(),
  referenceSeconds: seconds.optional(),
} satisfies Record<keyof Limits, z.ZodType>)

const optionsSchema = z.strictObject({
  database: nonEmpty,
  references: referenceList.optional(),
  apiKey: nonEmpty.optional(),
  engine: z.enum(['thread', 'inline']).optional(),
  analysis: fleetValue.optional(),
  ...threadOptions,
  limits: limitsSchema.optional(),
  enginePath: nonEmpty.optional(),
  nativeBinding: nonEmpty.optional(),
  keepAudio: z.boolean().optional(),
  fetch: callable<typeof fetch>().optional(),
  now: callable<() => number>().optional(),
  logger: loggerSchema.optional(),
})

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(optionsSchema.shape)

/** The part of the options that the engine needs, as plain data. */
export interface EngineConfig extends ThreadConfig {
  database: string
  references: ReferenceConfig[]
  apiKey: string
  nativeBinding?: string
  keepAudio: boolean
  analysis?: FleetDescription
  limits: Limits
}

/** Which threads analyse, and what they may start. */
export interface ThreadConfig {
  workers: number
  workerPath?: string
  ffmpegPath?: string
}

/** Options with their defaults: the part for the engine, and the part that stays with the caller. */
interface ResolvedOptions {
  engine: 'thread' | 'inline'
  enginePath?: string
  config: EngineConfig
  fetch: typeof fetch
  now?: () => number
  logger: Logger
}

/**
 * Checks the options of `Audile.open` and fills in the defaults.
 *
 * @throws {ParameterError} on an unknown option, naming the likely one, on a value out of range, or
 *   when ffmpeg does not exist
 */
export function resolveOptions(options: AudileOptions): ResolvedOptions {
  const given = parseOptions(optionsSchema, options, 'Audile.open')
  const engine = given.engine ?? 'thread'
  if (given.now && engine === 'thread') {
    throw invalidParameter(
      'now',
      'a clock of your own needs engine: "inline", since functions do not cross threads',
    )
  }
  const config: EngineConfig = {
    database: given.database === ':memory:' ? ':memory:' : resolve(given.database),
    references: referencesOf(given.references ?? [], given.database),
    apiKey: given.apiKey ?? LOCAL_KEY,
    keepAudio: given.keepAudio ?? true,
    ...(given.analysis && { analysis: given.analysis }),
    ...resolveThreads(given),
    limits: limitsOf(given.limits),
  }
  if (given.nativeBinding !== undefined) config.nativeBinding = resolve(given.nativeBinding)
  const resolved: ResolvedOptions = {
    engine,
    config,
    fetch: given.fetch ?? globalThis.fetch,
    logger: given.logger ?? {},
  }
  if (given.enginePath !== undefined) resolved.enginePath = resolve(given.enginePath)
  if (given.now) resolved.now = given.now
  return resolved
}

/**
 * The options of threads with their defaults.
 *
 * @throws {ParameterError} when ffmpeg does not exist
 */
export function resolveThreads(
  given: {
    [K in keyof typeof threadOptions]?: z.output<(typeof threadOptions)[K]>
  },
): ThreadConfig {
  return {
    workers: given.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
    ...(given.workerPath !== undefined && { workerPath: resolve(given.workerPath) }),
    ...(given.ffmpegPath !== undefined && { ffmpegPath: programOf(given.ffmpegPath) }),
  }
}

function limitsOf(given: z.output<typeof limitsSchema> | undefined): Limits {
  const limits = { ...DEFAULT_LIMITS }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value !== undefined) limits[name as keyof Limits] = value
  }
  return limits
}

/** The path of an executable program; a bare name is looked up in PATH. */
function programOf(given: string): string {
  const named = basename(given) === given
  const folders = named ? (process.env.PATH ?? '').split(delimiter) : []
  const endings = process.platform === 'win32' ? ['', '.exe', '.com', '.cmd', '.bat'] : ['']
  for (const path of named ? folders.map((folder) => join(folder, given)) : [resolve(given)]) {
    const found = endings.map((ending) => path + ending).find(isProgram)
    if (found !== undefined) return found
  }
  const why = named
    ? 'no folder of PATH holds such a program; install it, or give its whole path'
    : 'there is no program that may be run; check the path and its permissions'
  throw invalidParameter('ffmpegPath', `"${given}"; ${why}`)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

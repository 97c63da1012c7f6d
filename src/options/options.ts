import { accessSync, constants, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import type { LogLevel } from '../kernel/host.ts'
import { invalidParameter } from '../values/errors.ts'
import { absolutePath, type FilePath, plainPath } from '../values/file-path.ts'
import { LOCAL_KEY } from './engine-address.ts'
import { type FleetDescription, fleetSchema } from './fleet-options.ts'
import { functionSchema, nonEmpty, positive, seconds } from './parameter-types.ts'
import {
  parseReferences,
  type ReferenceConfig,
  referenceList,
  type ServedReferenceOptions,
} from './reference-options.ts'
import { type SoundModelOption, soundModelSchema } from './sound-model-option.ts'
import { parseOptions } from './validate.ts'

/** Receives messages about events that fail no call, such as a replaced worker. */
export type Logger = Partial<Record<LogLevel, (message: string, detail?: unknown) => void>>

/** The options of `Audile.open`. An unknown one is an error. */
export interface AudileOptions {
  /**
   * The SQLite database, by its path or `file:` URL; it is created if it does not exist. `':memory:'`
   * keeps nothing.
   */
  database: FilePath
  /**
   * Other databases of audile whose songs `identify` finds too, with `reference` in the answer.
   * They are only read, and any number of processes can have them open. Each is a path, or the
   * address of an engine that serves it (`serveEngine`): `unix:/path`, `ws://…`, `wss://…`.
   */
  references?: readonly (string | ServedReferenceOptions)[] | undefined
  /** The API key of calls without `as()`. Default `local`. */
  apiKey?: string | undefined
  /** `'thread'` (default) runs SQLite and the jobs in their own thread, `'inline'` in the caller's. */
  engine?: 'thread' | 'inline' | undefined
  /**
   * Machines that analyse and fingerprint instead of this one; the result of `fleet` of
   * `audile/fleet`. Default: the threads of `workers`.
   */
  analysis?: FleetDescription | undefined
  /**
   * Threads that decode and analyse. Default min(4, cores − 1), at least 1. 0: the engine's thread.
   * `'gentle'`: as many as by default, which on Linux get only the time that nothing else wants.
   */
  workers?: number | 'gentle' | undefined
  /** The built worker script, when a bundler moved it. */
  workerPath?: string | undefined
  /** The built engine script, when a bundler moved it. */
  enginePath?: string | undefined
  /** Path of better-sqlite3's native addon, for bundlers and asar. */
  nativeBinding?: string | undefined
  /** Keep uploaded bytes and downloads next to the database, for re-analysis. Default true. */
  keepAudio?: boolean | undefined
  /**
   * The host's ffmpeg, for files that audile cannot decode or whose decoding fails: a path, or a
   * bare name that is looked up in PATH. ffmpeg can open only the file that it is given.
   */
  ffmpegPath?: string | undefined
  /**
   * The network that hears voices, applause and instruments, by the path of its file; `'installed'`:
   * the one that `audile model add` fetched. Default: none, and nothing is ever fetched.
   */
  soundModel?: SoundModelOption | undefined
  /**
   * Fetches feeds and uploads by URL. Default: the global `fetch`. With `redirect: 'manual'` it
   * must return the redirect itself, as Node's does, because each address of a redirect is checked.
   */
  fetch?: typeof fetch | undefined
  /** The clock, in milliseconds since 1970; with `engine: 'inline'` only. */
  now?: (() => number) | undefined
  /** Receives messages about events that fail no call. Default: none are reported. */
  logger?: Logger | undefined
  /** Limits that replace the defaults. */
  limits?: Partial<Limits> | undefined
}

export const loggerSchema = z.custom<Logger>((value) => typeof value === 'object' && value !== null)

const pathOption = nonEmpty.transform((path) => resolve(path))

export const threadOptions = {
  workers: z.union([z.int().min(0).max(64), z.literal('gentle')]).optional(),
  workerPath: pathOption.optional(),
  ffmpegPath: nonEmpty.transform(findProgram).optional(),
}

/** 0: the calling thread does. */
export function threadsOf({ workers }: Pick<ThreadConfig, 'workers'>): number {
  if (typeof workers === 'number') return workers
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

const engineLimits = z.strictObject({
  /** Bytes of one uploaded file or download. Default 4 GiB. */
  uploadBytes: positive.default(4 * 1024 ** 3),
  /** Seconds that one download may take. Default 300. */
  downloadSeconds: seconds.default(300),
  /** Seconds of decoded audio. Default 21,600 (6 h). */
  decodedSeconds: positive.default(6 * 3600),
  /** Seconds that decoding and analysing one file may take. Default 3,600. */
  analysisSeconds: positive.default(3600),
  /** Channels of one file. Default 32. */
  channels: z.int().positive().default(32),
  /** Memory of one analysis worker's JavaScript heap in MB. Default 1,024. */
  workerMegabytes: positive.default(1024),
  /** Seconds after which a worker that reports nothing counts as stuck. Default 120. */
  stalledSeconds: seconds.default(120),
  /**
   * Bytes that are read for a file's tags, covers included. A file that needs more is treated as a
   * file without tags, and a message is logged. Default 64 MiB.
   */
  tagBytes: positive.default(64 * 1024 ** 2),
  /** Seconds that reading a file's tags may take. Slower files are treated the same. Default 10. */
  tagSeconds: seconds.default(10),
  /** Items of one catalog. Default 100,000, as in the specification. */
  catalogItems: z.int().positive().default(100_000),
  /** Catalogs of one key that is not commercial. Default 1,000, as in the specification. */
  keyCatalogs: z.int().positive().default(1000),
  /** Bytes of one feed, decompressed. Default 10 MiB. */
  feedBytes: positive.default(10 * 1024 ** 2),
  /** Seconds that the download of one feed may take, redirects included. Default 60. */
  feedSeconds: seconds.default(60),
  /**
   * Seconds in which a reference that another process serves must answer each request of a call.
   * Default 10.
   */
  referenceSeconds: seconds.default(10),
})

/** Limits on input. An error names the exceeded limit. */
export interface Limits extends z.output<typeof engineLimits> {}

const databasePath = z
  .preprocess(plainPath, nonEmpty)
  .refine((path) => !/^(?!file:)[a-z]{2,}:\/\//i.test(path), {
    error: 'must be a path or a file: URL',
  })
  .transform((path) => (path === ':memory:' ? path : absolutePath(path, 'database')))

const optionsSchema = z.strictObject({
  database: databasePath,
  references: referenceList.default([]),
  apiKey: nonEmpty.default(LOCAL_KEY),
  engine: z.enum(['thread', 'inline']).default('thread'),
  analysis: fleetSchema.optional(),
  ...threadOptions,
  limits: engineLimits.prefault({}),
  enginePath: pathOption.optional(),
  nativeBinding: pathOption.optional(),
  keepAudio: z.boolean().default(true),
  soundModel: soundModelSchema.optional(),
  fetch: functionSchema<typeof fetch>().default(() => globalThis.fetch),
  now: functionSchema<() => number>().optional(),
  logger: loggerSchema.default({}),
})

export const OPTION_NAMES: readonly string[] = Object.keys(optionsSchema.shape)

type ResolvedOptions = z.output<typeof optionsSchema>
type CallerOption = 'engine' | 'enginePath' | 'fetch' | 'now' | 'logger'

/** Plain data. */
export interface EngineConfig extends Omit<ResolvedOptions, CallerOption | 'references'> {
  references: ReferenceConfig[]
}

export type ThreadConfig = Pick<ResolvedOptions, keyof typeof threadOptions>

/**
 * Fills in the defaults.
 * @returns `config` for the engine, and the options that stay with the caller
 * @throws {ParameterError} on an unknown option, a value out of range, or a missing ffmpeg
 */
export function resolveOptions(
  options: AudileOptions,
): Pick<ResolvedOptions, CallerOption> & { config: EngineConfig } {
  const { engine, enginePath, fetch, now, logger, ...engineOptions } = parseOptions(
    optionsSchema,
    options,
    'Audile.open',
  )
  if (now && engine === 'thread') {
    throw invalidParameter(
      'now',
      'a clock of your own needs engine: "inline", since functions do not cross threads',
    )
  }
  const config = {
    ...engineOptions,
    references: parseReferences(engineOptions.references, engineOptions.database),
  }
  return { engine, enginePath, config, fetch, now, logger }
}

/** A bare name is looked up in PATH. */
function findProgram(program: string): string {
  const isBareName = basename(program) === program
  const folders = isBareName ? (process.env.PATH ?? '').split(delimiter) : []
  const endings = process.platform === 'win32' ? ['', '.exe', '.com', '.cmd', '.bat'] : ['']
  for (const path of isBareName
    ? folders.map((folder) => join(folder, program))
    : [resolve(program)]) {
    const programPath = endings.map((ending) => path + ending).find(isProgram)
    if (programPath !== undefined) return programPath
  }
  const reason = isBareName
    ? 'no folder of PATH holds such a program; install it, or give its whole path'
    : 'there is no program that may be run; check the path and its permissions'
  throw invalidParameter('ffmpegPath', `"${program}"; ${reason}`)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

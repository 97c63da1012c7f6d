import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { z } from 'zod'
import { version } from '../../package.json'
import { ANALYZER_VERSION } from '../analysis/document.ts'
import { readFilePieces } from '../kernel/file-pieces.ts'
import type { AnalysisLimits } from '../workers/pool.ts'
import type { GivenTask } from '../workers/workers.ts'
import { QUEUE_PREFIX } from './queue.ts'

const audioSchema = z.strictObject({
  /** Hexadecimal. */
  md5: z.string().regex(/^[0-9a-f]{32}$/),
  bytes: z.int().min(0),
})

/** The MD5 was computed when the track was added, so that a file is read only once. */
export type AudioBytes = z.infer<typeof audioSchema>

const limitsSchema = z.strictObject({
  decodedSeconds: z.number().positive(),
  analysisSeconds: z.number().positive(),
  channels: z.int().positive(),
  workerMegabytes: z.number().positive(),
  stalledSeconds: z.number().positive(),
} satisfies Record<keyof AnalysisLimits, z.ZodType>)

const taskSchema = z.strictObject({
  kind: z.enum(['analyze', 'fingerprint']),
  audio: audioSchema,
  /** The task of the pool without `path` and `decode`. */
  given: z.record(z.string(), z.unknown()),
  limits: limitsSchema,
  /** Whether ffmpeg reads the formats that audile does not read itself. */
  ffmpeg: z.boolean(),
})

export type FleetTask = z.infer<typeof taskSchema>

/** Tasks that decode whole files and take seconds. */
export type FleetKind = FleetTask['kind']

/** The owner's options that affect the result of a file. */
export type AnalysisTerms = Pick<FleetTask, 'limits' | 'ffmpeg'>

/** @throws {ZodError} when the value is not a task */
export function parseTask(value: unknown): FleetTask {
  return taskSchema.parse(value)
}

/** Each version has its own queue, because the results may differ. */
export const QUEUE_NAME = `${QUEUE_PREFIX}${version}-${ANALYZER_VERSION}`.replace(/[^\w-]/g, '_')

/**
 * The id of an owner on the queue, made from the machine and the database. A database in memory
 * ends with its process, so its id is made from the process.
 */
export function ownerOf(database: string): string {
  const name = database === ':memory:' ? `${process.pid}-${Date.now()}` : database
  return createHash('sha256').update(`${hostname()}\n${name}`).digest('hex').slice(0, 32)
}

export function audioName({ audio }: Pick<FleetTask, 'audio'>): string {
  return `audio/${audio.md5}-${audio.bytes}`
}

/** For a task that another version may have made; `undefined` if it names no audio. */
export function audioNameIn(task: unknown): string | undefined {
  const { data } = z.object({ audio: audioSchema }).safeParse(task)
  return data && audioName(data)
}

export function resultName(id: string): string {
  return `results/${id}`
}

export function analysisTermsOf(
  limits: AnalysisLimits,
  ffmpegPath: string | undefined,
): AnalysisTerms {
  // Other limits, for example of uploads and tags, apply on the owner's machine.
  return { limits: z.object(limitsSchema.shape).parse(limits), ffmpeg: ffmpegPath !== undefined }
}

export function fleetTask<K extends FleetKind>(
  kind: K,
  audio: AudioBytes,
  { path: _path, ...given }: GivenTask<K>,
  terms: AnalysisTerms,
): FleetTask {
  return { kind, audio, given, ...terms }
}

/**
 * A UUID of the audio, the version, the kind, the owner's terms and all options: equal ids have
 * equal results.
 */
export function taskIdOf({ kind, audio, ...otherParts }: FleetTask): string {
  const text = JSON.stringify([
    QUEUE_NAME,
    kind,
    audio.md5,
    audio.bytes,
    sortObjectKeys(otherParts),
  ])
  const digits = createHash('sha256').update(text).digest('hex')
  // Version 8 of RFC 9562: a UUID with custom content.
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digits)?.slice(1) ?? []
  const [a, b, c, d, e] = parts
  return `${a}-${b}-8${c}-8${d}-${e}`
}

/** So that equal values have equal texts. */
function sortObjectKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortObjectKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortObjectKeys(member)]))
}

/** @throws the system's error when the file cannot be read; the signal's reason on abort */
export async function readAudioBytes(path: string, signal: AbortSignal): Promise<AudioBytes> {
  const hash = createHash('md5')
  const bytes = await readFilePieces(path, (piece) => hash.update(piece), signal)
  return { md5: hash.digest('hex'), bytes }
}

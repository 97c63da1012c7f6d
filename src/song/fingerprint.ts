import { basename } from 'node:path'
import { z } from 'zod'
import { audioInput, requireOneInput, withAudio } from '../input/receive-audio.ts'
import { method } from '../kernel/method.ts'
import { text } from '../options/parameter-types.ts'
import { encodeCodes } from '../recognition/systems/codes.ts'
import { known } from '../values/known.ts'
import type { FingerprintResult, FingerprintTask } from '../workers/tasks.ts'
import { SHORT_TASK_TRIES } from '../workers/workers.ts'
import type { SongRoom } from './room.ts'

/** One audio input, and the part of it to use. */
export const audioParameters = {
  ...audioInput,
  /** Where the part begins, seconds. Default 0. */
  start: z.number().min(0).optional(),
  /** Length of the part, seconds. Default: to the end. */
  length: z.number().positive().optional(),
}

export function takeFingerprints(
  { listening, workers }: SongRoom,
  task: Omit<FingerprintTask, 'decode'>,
  signal: AbortSignal,
): Promise<FingerprintResult> {
  return listening.run(signal, () =>
    workers.run('fingerprint', task, { signal, tries: SHORT_TASK_TRIES }),
  )
}

/** 4.11 and 4.12 are the same codes. */
const CODE_VERSIONS_MADE = [3.15, 4.11, 4.12] as const
type MadeVersion = (typeof CODE_VERSIONS_MADE)[number]

const isMadeVersion = (version: number): version is MadeVersion =>
  CODE_VERSIONS_MADE.includes(version as MadeVersion)

/** A fingerprint, as a query of `song/identify`. */
export interface FingerprintQuery {
  /** Empty when there is too little sound. */
  code: string
  /** Facts about the recording. */
  metadata: {
    /** Which system made the code: 3.15, 4.11 or 4.12. */
    version: number
    /** The file's name, without its folder. */
    filename?: string
    /** From the file's tags. */
    artist?: string
    /** From the file's tags. */
    title?: string
    /** From the file's tags. */
    release?: string
    /** From the file's tags. */
    genre?: string
    /** Length of the part, seconds. */
    seconds: number
    /** The same as `seconds`, under the name that other clients use. */
    duration: number
    /** Where the part begins, seconds. */
    startOffset: number
    /** The number of codes. */
    codeCount: number
  }
}

/** `song/fingerprint` (ours): makes the query that identifies a recording, or a part of it. */
export const fingerprintSong = method({
  name: 'song/fingerprint',
  parameters: z
    .strictObject({
      ...audioParameters,
      /** 4.11 or 4.12 (system B, Echoprint), 3.15 (system A, ours). Default 4.12. */
      version: z
        .union([z.number(), text.transform(Number)])
        .refine(isMadeVersion, `is not one of ${CODE_VERSIONS_MADE.join(', ')}`)
        .optional(),
    })
    .superRefine(requireOneInput('file')),
  async run(room: SongRoom, params, { signal }): Promise<FingerprintQuery> {
    const version = params.version ?? 4.12
    return withAudio(room.input, params, signal, async (path) => {
      const { start, length } = params
      const chroma = version === 3.15 ? ('codes' as const) : undefined
      const [result, tags] = await Promise.all([
        takeFingerprints(room, { path, start, length, chroma }, signal),
        room.input.tags.read(path, signal),
      ])
      const { code, count } = encodeResult(version, result)
      const seconds = Math.round(result.duration * 1000) / 1000
      const { artist, title, release, genres = [] } = tags
      const metadata = known({
        version,
        filename: params.file === undefined ? undefined : basename(params.file),
        artist,
        title,
        release,
        genre: genres[0],
        seconds,
        duration: seconds,
        startOffset: Math.floor(start ?? 0),
        codeCount: count,
      })
      return { code, metadata }
    })
  },
})

function encodeResult(version: MadeVersion, { traces, chroma }: FingerprintResult) {
  const family = version === 3.15 ? 'chroma' : 'echoprint'
  const codes = family === 'chroma' ? chroma : traces.echoprint.codes
  return { code: encodeCodes(family, codes), count: codes.codes.length }
}

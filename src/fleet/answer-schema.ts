import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { z } from 'zod'
import { DESCRIPTOR_LENGTH } from '../analysis/descriptor.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { parsingDocument } from '../analysis/parse-document.ts'
import { flattenedLength } from '../analysis/waveform.ts'
import { inTurns } from '../kernel/scheduler.ts'
import { keyBitsOf, keyOfCode } from '../recognition/systems/code-keys.ts'
import { isKeyOrdered } from '../recognition/systems/key-order.ts'
import { ECHOPRINT_SYSTEM, type Family } from '../recognition/systems/version.ts'
import { ANALYZED, type Fact, SUMMARY_FACTS } from '../song/facts.ts'
import { type ErrorCode, STATUS_OF } from '../values/errors.ts'
import type { AnalysisLimits } from '../workers/pool.ts'
import type { AnalyzeResult, FingerprintResult } from '../workers/tasks.ts'
import type { FleetKind } from './fleet-task.ts'

export type ResultLimits = Pick<AnalysisLimits, 'decodedSeconds' | 'channels'>

/** For each second of sound, several times those of dense music. */
const MAX_PER_SECOND = { codes: 1_000, bytes: 8_192, objects: 200 }
/** Added to short sounds, so that what all results have fits. */
const SPARE_SECONDS = 128
/** Characters. */
const MAX_LENGTHS = { name: 200, message: 10_000 }

const inflateBytes = promisify(inflateRaw)

const uint32 = z.instanceof(Uint32Array)
const float32 = z.instanceof(Float32Array).refine((list) => list.every(Number.isFinite), {
  error: 'has numbers that are not finite',
})
const nameSchema = z.string().max(MAX_LENGTHS.name)

function codesSchema(family: Family) {
  const end = 2 ** (keyBitsOf(family) ?? 20)
  return z
    .strictObject({ codes: uint32, times: uint32 })
    .refine(({ codes, times }) => codes.length === times.length, {
      error: 'has lists of two lengths',
    })
    .refine(({ codes }) => codes.every((code) => code < end), { error: 'has a code out of range' })
}

/** The index takes the codes in their order. */
function printSchema(family: Family) {
  const bits = keyBitsOf(family)
  return codesSchema(family).refine(
    ({ codes, times }) =>
      isKeyOrdered(bits === undefined ? codes : codes.map((code) => keyOfCode(code, bits)), times),
    { error: 'is not in the order of its keys' },
  )
}

const echoprintSchema = z.strictObject({
  codes: codesSchema('echoprint'),
  onsets: z
    .array(uint32.refine(isAscending, { error: 'does not ascend' }))
    .length(ECHOPRINT_SYSTEM.bands),
})

const landmarksSchema = z
  .strictObject({ times: float32, frequencies: float32, saliences: float32 })
  .refine(
    ({ times, frequencies, saliences }) =>
      times.length === frequencies.length && times.length === saliences.length,
    { error: 'has lists of different lengths' },
  )

const reportSchema = z.strictObject({
  container: nameSchema,
  codec: nameSchema,
  decoder: nameSchema,
  sampleRate: z.number().positive(),
  channels: z.int().positive(),
  frames: z.int().min(0),
  truncated: z.boolean(),
})

function factSchema({ type, range, unknown }: Fact): z.ZodType {
  if (type === 'flag') return orNull(z.boolean(), unknown)
  if (type === 'text') return orNull(z.string().regex(/^[0-9a-f]{32}$/), unknown)
  const numberSchema = type === 'integer' ? z.int() : z.number()
  return orNull(
    range ? numberSchema.min(Math.min(0, range[0])).max(range[1]) : numberSchema,
    unknown,
  )
}

function orNull(schema: z.ZodType, unknown: Fact['unknown']): z.ZodType {
  return unknown === 0 ? schema : schema.nullable()
}

const summarySchema = z.strictObject({
  ...Object.fromEntries(ANALYZED.map((fact) => [fact, factSchema(SUMMARY_FACTS[fact])])),
  // The limits of the database say how long a file may be.
  duration: z.number().min(0),
})

const analyzeResultSchema = z.strictObject({
  summary: summarySchema,
  corrected: summarySchema.optional(),
  report: reportSchema,
  prints: z.strictObject({
    triplets: printSchema('triplets'),
    echoprint: printSchema('echoprint'),
    chroma: printSchema('chroma'),
  }),
  document: z.instanceof(Uint8Array),
  descriptor: float32.refine((list) => list.length === DESCRIPTOR_LENGTH, {
    error: `has not ${DESCRIPTOR_LENGTH} numbers`,
  }),
  waveform: z.strictObject({
    sampleRate: z.number().positive(),
    samples: z.int().min(0),
    blocks: uint32.refine((list) => list.length % 2 === 0, { error: 'has no pairs' }),
    peaks: z.instanceof(Uint8Array),
  }),
})

const fingerprintResultSchema = z.strictObject({
  traces: z.strictObject({ echoprint: echoprintSchema, landmarks: landmarksSchema }),
  chroma: codesSchema('chroma'),
  duration: z.number().min(0),
  report: reportSchema.optional(),
})

const errorSchema = z.object({
  kind: z.enum(['AudileError', 'ParameterError', 'DecodeError', 'Error']),
  code: z.enum(Object.keys(STATUS_OF) as ErrorCode[]).optional(),
  systemCode: nameSchema.optional(),
  name: nameSchema,
  message: z.string().max(MAX_LENGTHS.message),
})

const damagedSchema = z.strictObject({ audio: z.literal('damaged') })

const orError = (result: z.ZodType) =>
  z.union([z.strictObject({ result }), z.strictObject({ error: errorSchema }), damagedSchema])

export const ANSWER_SCHEMAS: Readonly<Record<FleetKind, z.ZodType>> = {
  analyze: orError(analyzeResultSchema),
  fingerprint: orError(fingerprintResultSchema),
}

/** Results whose parts fit the length of their sound, within the limits. */
export function schemasForSound({
  decodedSeconds,
  channels,
}: ResultLimits): Readonly<Record<FleetKind, z.ZodType>> {
  const isWithin = (report: AnalyzeResult['report']) =>
    soundSeconds(report) <= decodedSeconds && report.channels <= channels
  return {
    analyze: z
      .custom<AnalyzeResult>()
      .refine((result) => isWithin(result.report), { error: 'is of a file over the limits' })
      .refine(
        ({ summary: { duration }, report: reportOfSound, waveform }) =>
          Math.abs(duration - soundSeconds(reportOfSound)) <= 1 &&
          waveform.samples === reportOfSound.frames &&
          waveform.sampleRate === reportOfSound.sampleRate,
        { error: 'has parts of different lengths' },
      )
      .refine(
        ({ prints, waveform: { blocks }, report: heard }) =>
          isFew([...Object.values(prints).map(({ codes }) => codes), blocks], soundSeconds(heard)),
        { error: 'has too many codes' },
      ),
    fingerprint: z
      .custom<FingerprintResult>()
      .refine(
        ({ duration, report: heard }) => duration <= decodedSeconds && (!heard || isWithin(heard)),
        {
          error: 'is of a file over the limits',
        },
      )
      .refine(
        ({ traces, chroma, duration }) => {
          const { codes, onsets } = traces.echoprint
          return isFew([codes.codes, ...onsets, traces.landmarks.times, chroma.codes], duration)
        },
        { error: 'has too many codes' },
      ),
  }
}

function soundSeconds({ frames, sampleRate }: AnalyzeResult['report']): number {
  return frames / sampleRate
}

function isFew(lists: readonly ArrayLike<number>[], seconds: number): boolean {
  return lists.every(({ length }) => length <= MAX_PER_SECOND.codes * (seconds + SPARE_SECONDS))
}

function isAscending(list: Uint32Array): boolean {
  return list.every((value, i) => i === 0 || value >= list[i - 1]!)
}

/**
 * Unpacks what an analysis has packed.
 * @throws {Error} on what is no document or waveform of its sound; the signal's reason on abort
 */
export async function requireMeasured(
  { document, summary: { duration }, report: reportOfSound, waveform }: AnalyzeResult,
  signal: AbortSignal,
): Promise<void> {
  const length = flattenedLength(waveform.samples)
  const peaks = await inflateBytes(waveform.peaks, { maxOutputLength: Math.max(1, length) })
  if (peaks.length !== length) throw new Error('The waveform has another length than the sound.')
  const seconds = soundSeconds(reportOfSound) + SPARE_SECONDS
  const maxOutputLength = Math.ceil(MAX_PER_SECOND.bytes * seconds)
  const text = (await inflateBytes(document, { maxOutputLength })).toString('utf8')
  const objects = countSigns(text, '{') + countSigns(text, '[')
  if (objects > MAX_PER_SECOND.objects * seconds)
    throw new Error('The document has too many parts.')
  requireDocument(await inTurns(parsingDocument(text), signal), duration)
}

function countSigns(text: string, sign: string): number {
  let count = 0
  for (
    let position = text.indexOf(sign);
    position >= 0;
    position = text.indexOf(sign, position + 1)
  )
    count++
  return count
}

const intervalSchema = z.looseObject({ start: z.number().min(0), duration: z.number().min(0) })
const documentTrackSchema = z.looseObject({
  duration: z.number().min(0),
  tempo: z.number().min(0),
  loudness: z.number().nullish(),
  key: z.int().min(-1).max(11),
  mode: z.int().min(-1).max(1),
  time_signature: z.int().min(0),
})

/** Plain loops, because a schema is slow on thousands of segments. */
function requireDocument(document: AnalysisDocument, duration: number): void {
  z.looseObject({
    meta: z.looseObject({}),
    track: documentTrackSchema,
    sections: z.array(intervalSchema),
  }).parse(document)
  const { bars, beats, tatums, segments } = document
  const isWhole =
    [bars, beats, tatums, segments].every(
      (list) => Array.isArray(list) && list.every(isInterval),
    ) &&
    segments.every(({ pitches, timbre }) => isVector(pitches) && isVector(timbre)) &&
    Math.abs(document.track.duration - duration) <= 1
  if (!isWhole) throw new Error('The document is none of this sound.')
}

function isInterval(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    Object.values(value).every((field) => typeof field !== 'number' || Number.isFinite(field)) &&
    'start' in value &&
    typeof value.start === 'number' &&
    value.start >= 0 &&
    'duration' in value &&
    typeof value.duration === 'number' &&
    value.duration >= 0
  )
}

function isVector(value: unknown): boolean {
  return Array.isArray(value) && value.length === 12 && value.every(Number.isFinite)
}

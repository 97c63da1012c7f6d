import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { ANALYZED, FACTS, type Fact } from '../song/facts.ts'
import {
  DecodeError,
  type ErrorCode,
  type PlainError,
  STATUS_OF,
  toPlain,
} from '../values/errors.ts'
import { md5 } from '../values/md5.ts'
import type { Tasks } from '../workers/tasks.ts'
import type { FleetKind } from './fleet-task.ts'

/** A worker's answer: a result, the error of the file, or that the stored audio is damaged. */
export type FleetAnswer<K extends FleetKind> =
  | { result: Tasks[K]['result'] }
  | { error: PlainError }
  | { audio: 'damaged' }

/** The most bytes of an answer; six hours of dense music make 20 MB. */
export const MOST_ANSWER_BYTES = 256 * 1024 ** 2

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Digits of the MD5 that an answer begins with. */
const SUM = 32

/**
 * Writes an answer: the MD5 of the rest in hexadecimal digits, and JSON compressed by gzip. Typed arrays
 * and numbers that JSON lacks (−0, NaN, infinities) are objects with the key `$`, so that an answer
 * is read exactly as it was. An answer that is too large is replaced by an error that says so.
 *
 * @param most - the most bytes of the JSON
 */
export async function encodeAnswer(
  answer: FleetAnswer<FleetKind>,
  most = MOST_ANSWER_BYTES,
): Promise<Uint8Array> {
  const text = JSON.stringify(pack(answer))
  const size = Buffer.byteLength(text)
  const packed = await compress(size <= most ? text : JSON.stringify(tooLarge(size, most)))
  return Buffer.concat([Buffer.from(md5(packed), 'latin1'), packed])
}

function tooLarge(size: number, most: number): FleetAnswer<FleetKind> {
  const { stack: _, ...error } = toPlain(
    new DecodeError(
      `The analysis of this file has ${size} bytes, more than the ${most} that a fleet passes on; ` +
        'open the database without a fleet for it.',
    ),
  )
  return { error }
}

/**
 * Reads an answer, which comes from another machine.
 *
 * @throws {Error} when it is damaged, or not an answer
 */
export async function decodeAnswer<K extends FleetKind>(
  kind: K,
  bytes: Uint8Array,
): Promise<FleetAnswer<K>> {
  const packed = bytes.subarray(SUM)
  if (Buffer.from(bytes.subarray(0, SUM)).toString('latin1') !== md5(packed)) {
    throw new Error('The sum of the result is wrong.')
  }
  const text = await decompress(packed, { maxOutputLength: MOST_ANSWER_BYTES })
  const answer = unpack(JSON.parse(text.toString('utf8')))
  return ANSWERS[kind].parse(answer) as FleetAnswer<K>
}

const ARRAYS = { Uint8Array, Uint32Array, Float32Array } as const
type ArrayName = keyof typeof ARRAYS

function pack(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && !Object.is(value, -0)) return value
    return { $: 'number', value: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(pack)
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name
    if (!Object.hasOwn(ARRAYS, name)) throw new TypeError(`A ${name} cannot be written.`)
    const { buffer, byteOffset, byteLength } = value
    return { $: name, value: Buffer.from(buffer, byteOffset, byteLength).toString('base64') }
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, pack(one)]))
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unpack)
  const { $: type, value: text } = value as { $?: unknown; value?: unknown }
  if (typeof type === 'string' && typeof text === 'string') return special(type, text)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unpack(one)]))
}

function special(type: string, text: string): unknown {
  if (type === 'number') return Number(text)
  if (!Object.hasOwn(ARRAYS, type)) throw new TypeError(`A ${type} cannot be read.`)
  const { buffer } = new Uint8Array(Buffer.from(text, 'base64'))
  return new ARRAYS[type as ArrayName](buffer)
}

const uint32 = z.instanceof(Uint32Array)
const codes = z
  .strictObject({ codes: uint32, times: uint32 })
  .refine((lists) => lists.codes.length === lists.times.length)
const echoprint = z.strictObject({ codes, onsets: z.array(uint32) })
const float32 = z.instanceof(Float32Array)
const landmarks = z.strictObject({ times: float32, frequencies: float32, saliences: float32 })

const report = z.strictObject({
  container: z.string(),
  codec: z.string(),
  decoder: z.string(),
  sampleRate: z.number().positive(),
  channels: z.int().positive(),
  frames: z.int().min(0),
  truncated: z.boolean(),
})

function factSchema({ type, unknown }: Fact): z.ZodType {
  const value =
    type === 'flag'
      ? z.boolean()
      : type === 'text'
        ? z.string().regex(/^[0-9a-f]{32}$/)
        : z.number()
  return unknown === 0 ? value : value.nullable()
}

const summary = z.strictObject(
  Object.fromEntries(ANALYZED.map((name) => [name, factSchema(FACTS[name])])),
)

const analyzeResult = z.strictObject({
  summary,
  corrected: summary.optional(),
  report,
  prints: z.strictObject({
    triplets: codes,
    echoprint: codes,
    chroma: codes,
  }),
  document: z.instanceof(Uint8Array),
  descriptor: float32,
  waveform: z.strictObject({
    sampleRate: z.number().positive(),
    samples: z.int().min(0),
    blocks: uint32,
    peaks: z.instanceof(Uint8Array),
  }),
})

const fingerprintResult = z.strictObject({
  traces: z.strictObject({ echoprint, landmarks }),
  chroma: codes,
  duration: z.number(),
  report: report.optional(),
})

const plainError = z.object({
  kind: z.enum(['AudileError', 'ParameterError', 'DecodeError', 'Error']),
  code: z.enum(Object.keys(STATUS_OF) as ErrorCode[]).optional(),
  systemCode: z.string().optional(),
  name: z.string(),
  message: z.string(),
})

const damaged = z.strictObject({ audio: z.literal('damaged') })

const orError = (result: z.ZodType) =>
  z.union([z.strictObject({ result }), z.strictObject({ error: plainError }), damaged])

const ANSWERS: Readonly<Record<FleetKind, z.ZodType>> = {
  analyze: orError(analyzeResult),
  fingerprint: orError(fingerprintResult),
}

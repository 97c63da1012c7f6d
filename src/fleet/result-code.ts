import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DecodeError, type PlainError, toPlain } from '../values/errors.ts'
import { md5 } from '../values/md5.ts'
import type { AnalyzeResult, Tasks } from '../workers/tasks.ts'
import { ANSWERS, ofSound, type ResultLimits, requireMeasured } from './answer-schema.ts'
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

/** The most objects, lists and members of an answer: what is long in it is text. */
const MOST_PARTS = 10_000

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
 * @param limits - what the sound of the file may be at most
 * @throws {Error} when it is damaged, or not an answer; the signal's reason on abort
 */
export async function decodeAnswer<K extends FleetKind>(
  kind: K,
  bytes: Uint8Array,
  limits: ResultLimits = { decodedSeconds: 21_600, channels: 32 },
  signal: AbortSignal = new AbortController().signal,
): Promise<FleetAnswer<K>> {
  const packed = bytes.subarray(SUM)
  if (Buffer.from(bytes.subarray(0, SUM)).toString('latin1') !== md5(packed)) {
    throw new Error('The sum of the result is wrong.')
  }
  const text = await decompress(packed, { maxOutputLength: MOST_ANSWER_BYTES })
  requireFew(text)
  const answer = ANSWERS[kind].parse(unpack(JSON.parse(text.toString('utf8')))) as FleetAnswer<K>
  if (!('result' in answer)) return answer
  ofSound(limits)[kind].parse(answer.result)
  if (kind === 'analyze') await requireMeasured(answer.result as AnalyzeResult, signal)
  return answer
}

/** Short texts of many empty lists would take many times their size in memory. */
function requireFew(text: Buffer): void {
  let parts = 0
  for (const sign of '{[,')
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (++parts > MOST_PARTS) throw new Error(`The result has more than ${MOST_PARTS} parts.`)
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

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { DecodeError, type PlainError, toPlain } from '../values/errors.ts'
import { md5 } from '../values/md5.ts'
import type { AnalyzeResult, Tasks } from '../workers/tasks.ts'
import {
  ANSWER_SCHEMAS,
  type ResultLimits,
  requireMeasured,
  schemasForSound,
} from './answer-schema.ts'
import type { FleetKind } from './fleet-task.ts'

/** A result, the error of the file, or that the stored audio is damaged. */
export type FleetAnswer<K extends FleetKind> =
  | { result: Tasks[K]['result'] }
  | { error: PlainError }
  | { audio: 'damaged' }

/** Six hours of dense music make 20 MB. */
export const MAX_ANSWER_BYTES = 256 * 1024 ** 2

const gzipBytes = promisify(gzip)
const gunzipBytes = promisify(gunzip)

/** Objects, lists and members of an answer: what is long in it is text. */
const MAX_PARTS = 10_000

/** Hexadecimal, at the begin of an answer. */
const MD5_DIGITS = 32

/**
 * The MD5 of the rest, and JSON compressed by gzip.
 * Typed arrays and −0, NaN and infinities are objects with the key `$`, because JSON lacks them.
 * A too large answer is replaced by an error that says so.
 */
export async function encodeAnswer(
  answer: FleetAnswer<FleetKind>,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<Uint8Array> {
  const text = JSON.stringify(packValue(answer))
  const size = Buffer.byteLength(text)
  const compressed = await gzipBytes(
    size <= maxBytes ? text : JSON.stringify(answerTooLarge(size, maxBytes)),
  )
  return Buffer.concat([Buffer.from(md5(compressed), 'latin1'), compressed])
}

function answerTooLarge(size: number, maxBytes: number): FleetAnswer<FleetKind> {
  const { stack: _, ...error } = toPlain(
    new DecodeError(
      `The analysis of this file has ${size} bytes, more than the ${maxBytes} that a fleet passes on; ` +
        'open the database without a fleet for it.',
    ),
  )
  return { error }
}

/**
 * The bytes come from another machine.
 * @param limits - what the sound of the file may be at most
 * @throws {Error} when it is damaged, or not an answer; the signal's reason on abort
 */
export async function decodeAnswer<K extends FleetKind>(
  kind: K,
  bytes: Uint8Array,
  limits: ResultLimits = { decodedSeconds: 21_600, channels: 32 },
  signal: AbortSignal = new AbortController().signal,
): Promise<FleetAnswer<K>> {
  const compressed = bytes.subarray(MD5_DIGITS)
  if (Buffer.from(bytes.subarray(0, MD5_DIGITS)).toString('latin1') !== md5(compressed)) {
    throw new Error('The sum of the result is wrong.')
  }
  const text = await gunzipBytes(compressed, { maxOutputLength: MAX_ANSWER_BYTES })
  limitParts(text)
  const answer = ANSWER_SCHEMAS[kind].parse(
    unpackValue(JSON.parse(text.toString('utf8'))),
  ) as FleetAnswer<K>
  if (!('result' in answer)) return answer
  schemasForSound(limits)[kind].parse(answer.result)
  if (kind === 'analyze') await requireMeasured(answer.result as AnalyzeResult, signal)
  return answer
}

/** Short texts of many empty lists would take many times their size in memory. */
function limitParts(text: Buffer): void {
  let parts = 0
  for (const sign of '{[,')
    for (
      let position = text.indexOf(sign);
      position >= 0;
      position = text.indexOf(sign, position + 1)
    )
      if (++parts > MAX_PARTS) throw new Error(`The result has more than ${MAX_PARTS} parts.`)
}

const TYPED_ARRAYS = { Uint8Array, Uint32Array, Float32Array } as const
type ArrayName = keyof typeof TYPED_ARRAYS

function packValue(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && !Object.is(value, -0)) return value
    return { $: 'number', value: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(packValue)
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name
    if (!Object.hasOwn(TYPED_ARRAYS, name)) throw new TypeError(`A ${name} cannot be written.`)
    const { buffer, byteOffset, byteLength } = value
    return { $: name, value: Buffer.from(buffer, byteOffset, byteLength).toString('base64') }
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, packValue(member)]))
}

function unpackValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unpackValue)
  const { $: type, value: text } = value as { $?: unknown; value?: unknown }
  if (typeof type === 'string' && typeof text === 'string') return unpackSpecial(type, text)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, unpackValue(member)]),
  )
}

function unpackSpecial(type: string, text: string): unknown {
  if (type === 'number') return Number(text)
  if (!Object.hasOwn(TYPED_ARRAYS, type)) throw new TypeError(`A ${type} cannot be read.`)
  const { buffer } = new Uint8Array(Buffer.from(text, 'base64'))
  return new TYPED_ARRAYS[type as ArrayName](buffer)
}

import { createHash } from 'node:crypto'
import { codedNumber, crc } from '../hostile/flac-writer.ts'
import type { Samples } from './sounds.ts'

/** What no encoder at hand can be asked for (RFC 9639). */
export interface FlacStream {
  subframe: 'constant' | 'verbatim' | 'fixed' | 'lpc'
  /** Of a fixed predictor, 0…4. */
  order?: number
  /** Of predictors. Default 'rice'; 'escape' writes every other partition without a Rice code. */
  residual?: 'rice' | 'rice2' | 'escape'
  /** Default: each channel by itself. */
  stereo?: 'left' | 'right' | 'mid'
  /** Low bits that are 0 in all samples, and left out. */
  wasted?: number
  /** Samples per channel of the blocks, in turn; more than one makes a stream of variable blocks. */
  blocks: readonly number[]
  /** STREAMINFO does not tell the number of samples. */
  unknownLength?: boolean
}

class Bits {
  readonly #bytes: number[] = []
  #held = 0
  #count = 0

  /** The lowest `width` bits of a whole number, up to 36 and of either sign. */
  put(value: number, width: number): void {
    for (let left = width; left > 0; ) {
      const take = Math.min(left, 8 - this.#count)
      const part = Math.floor(value / 2 ** (left - take)) % 2 ** take
      this.#held = this.#held * 2 ** take + (part < 0 ? part + 2 ** take : part)
      this.#count += take
      left -= take
      if (this.#count === 8) this.#flush()
    }
  }

  /** So many zeros, and a one. */
  unary(zeros: number): void {
    for (let left = zeros; left > 0; left -= 32) this.put(0, Math.min(32, left))
    this.put(1, 1)
  }

  bytes(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count)
    return Buffer.from(this.#bytes)
  }

  #flush(): void {
    this.#bytes.push(this.#held)
    this.#held = 0
    this.#count = 0
  }
}

const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]]
/** A predictor that fits nothing in particular: what counts is that it is undone exactly. */
const LPC = { coefficients: [7, -3, 2, 1, -2], precision: 5, shift: 2 }

/** Samples as a FLAC file of that kind. */
export function flacStream(samples: Samples, stream: FlacStream): Buffer {
  const { rate, bits, wasted = 0 } = { ...samples, ...stream }
  const step = 2 ** wasted
  const channels = samples.channels.map((c) => c.map((value) => Math.floor(value / step) * step))
  const total = channels[0]?.length ?? 0
  const frames: Buffer[] = []
  for (let from = 0; from < total; ) {
    const size = stream.blocks[frames.length % stream.blocks.length] ?? 4096
    const block = channels.map((channel) => Array.from(channel.subarray(from, from + size)))
    frames.push(
      frameOf(block, stream.blocks.length > 1 ? { sample: from } : frames.length, bits, stream),
    )
    from += size
  }
  const info = Buffer.alloc(34)
  info.writeUInt16BE(Math.min(...stream.blocks), 0)
  info.writeUInt16BE(Math.max(...stream.blocks), 2)
  const packed =
    (BigInt(rate) << 44n) | (BigInt(channels.length - 1) << 41n) | (BigInt(bits - 1) << 36n)
  info.writeBigUInt64BE(packed | BigInt(stream.unknownLength ? 0 : total), 10)
  md5(channels, bits).copy(info, 18)
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info, ...frames])
}

function md5(channels: readonly Int32Array[], bits: number): Buffer {
  const width = Math.ceil(bits / 8)
  const all = Buffer.alloc(width * channels.length * (channels[0]?.length ?? 0))
  for (const [c, samples] of channels.entries())
    for (const [i, value] of samples.entries())
      all.writeIntLE(value, width * (i * channels.length + c), width)
  return createHash('md5').update(all).digest()
}

/** @param number of the frame, or of its first sample in a stream of variable blocks */
function frameOf(
  channels: readonly number[][],
  number: number | { sample: number },
  bits: number,
  stream: FlacStream,
): Buffer {
  const size = channels[0]?.length ?? 0
  const { assignment, coded } = decorrelate(channels, stream.stereo)
  const head = Buffer.from([
    ...[0xff, typeof number === 'number' ? 0xf8 : 0xf9, 0x70, assignment << 4],
    ...codedNumber(typeof number === 'number' ? number : number.sample),
    ...[(size - 1) >> 8, (size - 1) & 255],
  ])
  const out = new Bits()
  for (const { values, extra } of coded) subframe(out, values, bits + extra, stream)
  const bytes = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), out.bytes()])
  const check = crc(bytes, 16, 0x8005)
  return Buffer.concat([bytes, Buffer.from([check >> 8, check & 255])])
}

function decorrelate(channels: readonly number[][], stereo: FlacStream['stereo']) {
  const plain = channels.map((values) => ({ values, extra: 0 }))
  const [left, right] = plain
  if (!stereo || !left || !right) return { assignment: channels.length - 1, coded: plain }
  const side = { values: left.values.map((l, i) => l - (right.values[i] as number)), extra: 1 }
  if (stereo === 'left') return { assignment: 8, coded: [left, side] }
  if (stereo === 'right') return { assignment: 9, coded: [side, right] }
  const middle = left.values.map((l, i) => Math.floor((l + (right.values[i] as number)) / 2))
  return { assignment: 10, coded: [{ values: middle, extra: 0 }, side] }
}

function subframe(out: Bits, given: readonly number[], width: number, stream: FlacStream): void {
  const { wasted = 0, residual = 'rice' } = stream
  const values = given.map((value) => value / 2 ** wasted)
  const bits = width - wasted
  const order = stream.subframe === 'lpc' ? LPC.coefficients.length : (stream.order ?? 2)
  const kind = values.every((value) => value === values[0])
    ? stream.subframe === 'constant'
      ? 'constant'
      : stream.subframe
    : stream.subframe === 'constant'
      ? 'verbatim'
      : stream.subframe
  const predicts = (kind === 'fixed' || kind === 'lpc') && values.length > order
  const type = !predicts ? (kind === 'constant' ? 0 : 1) : kind === 'fixed' ? 8 + order : 31 + order
  out.put(2 * type + (wasted > 0 ? 1 : 0), 8)
  if (wasted > 0) out.unary(wasted - 1)
  if (!predicts) {
    for (const value of kind === 'constant' ? values.slice(0, 1) : values) out.put(value, bits)
    return
  }
  for (const value of values.slice(0, order)) out.put(value, bits)
  if (kind === 'lpc') {
    out.put(LPC.precision - 1, 4)
    out.put(LPC.shift, 5)
    for (const coefficient of LPC.coefficients) out.put(coefficient, LPC.precision)
  }
  const weights = kind === 'lpc' ? LPC.coefficients : (FIXED[order] ?? [])
  const shift = kind === 'lpc' ? LPC.shift : 0
  const errors = values.map((value, i) => {
    const sum = weights.reduce((total, weight, j) => total + weight * (values[i - 1 - j] ?? 0), 0)
    return value - Math.floor(sum / 2 ** shift)
  })
  residuals(out, errors, order, residual)
}

function residuals(
  out: Bits,
  errors: readonly number[],
  order: number,
  how: NonNullable<FlacStream['residual']>,
): void {
  const partitions = [4, 2, 1, 0].find(
    (power) => errors.length % 2 ** power === 0 && errors.length / 2 ** power > order,
  ) as number
  const size = errors.length / 2 ** partitions
  const width = how === 'rice2' ? 5 : 4
  out.put(how === 'rice2' ? 1 : 0, 2)
  out.put(partitions, 4)
  for (let p = 0; p < 2 ** partitions; p++) {
    const part = errors.slice(Math.max(order, p * size), (p + 1) * size)
    const largest = part.reduce((most, value) => Math.max(most, value < 0 ? -value - 1 : value), 0)
    if (how === 'escape' && p % 2 === 0) {
      const bits = part.every((value) => value === 0) ? 0 : Math.floor(Math.log2(largest || 1)) + 2
      out.put(2 ** width - 1, width)
      out.put(bits, 5)
      for (const value of part) out.put(value, bits)
      continue
    }
    const mean = part.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, part.length)
    const rice = Math.max(0, Math.min(2 ** width - 2, Math.ceil(Math.log2(mean + 1))))
    out.put(rice, width)
    for (const value of part) {
      const folded = value < 0 ? -2 * value - 1 : 2 * value
      out.unary(Math.floor(folded / 2 ** rice))
      out.put(folded, rice)
    }
  }
}

import { codedNumber, crc } from '../programs/hostile/flac-writer.ts'
import { pick, type Random, whole } from './chance.ts'

/** What a FLAC stream is to be: every choice that is left open is drawn by chance. */
export interface FlacTraits {
  /** Integer samples of each channel. */
  channels: readonly (readonly number[])[]
  /** Bits per sample, 4…32. */
  bits: number
  /** Hertz. */
  sampleRate: number
  /** Samples of each block in turn; the last one stands for all that follow. */
  blockSizes: readonly number[]
  /** How frames are numbered: as blocks of one size are, as others are, or as others were before 2007. */
  numbering?: 'frames' | 'samples' | 'samples, unmarked'
  /** Whether STREAMINFO tells the number of samples and the largest frame. */
  known?: boolean
}

/**
 * A FLAC file (RFC 9639) that uses everything the format has: each kind of subframe, predictors of
 * every order, both codings of residuals with escapes, wasted bits and all pairings of channels.
 * Which of them a block gets is drawn by chance, not by size, so that files come out large and odd.
 */
export function encodeFlac(random: Random, traits: FlacTraits): Buffer {
  const { channels, blockSizes } = traits
  const total = channels[0]!.length
  const frames: Buffer[] = []
  for (let from = 0, i = 0; from < total; i++) {
    const size = Math.min(total - from, blockSizes[i] ?? blockSizes.at(-1)!)
    const block = channels.map((samples) => samples.slice(from, from + size))
    frames.push(frame(random, traits, block, traits.numbering === 'frames' ? i : from))
    from += size
  }
  return Buffer.concat([streamInfo(traits, frames), ...frames])
}

function streamInfo(traits: FlacTraits, frames: readonly Buffer[]): Buffer {
  const { channels, bits, sampleRate, blockSizes, known = true } = traits
  const writer = new BitWriter()
  for (const byte of Buffer.from('fLaC')) writer.push(byte, 8)
  writer.push(0x80, 8)
  writer.push(34, 24)
  writer.push(Math.min(...blockSizes), 16)
  writer.push(Math.max(...blockSizes), 16)
  writer.push(0, 24)
  writer.push(known ? Math.max(...frames.map(({ length }) => length)) : 0, 24)
  writer.push(sampleRate, 20)
  writer.push(channels.length - 1, 3)
  writer.push(bits - 1, 5)
  writer.push(known ? channels[0]!.length : 0, 36)
  for (let i = 0; i < 16; i++) writer.push(0, 8)
  return writer.bytes()
}

const BIT_CODES: Readonly<Record<number, number>> = { 8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7 }

function frame(
  random: Random,
  { bits, sampleRate, numbering = 'frames' }: FlacTraits,
  block: readonly (readonly number[])[],
  number: number,
): Buffer {
  const size = block[0]!.length
  const named = random() < 0.5
  const head = new BitWriter()
  head.push(numbering === 'samples' ? 0xfff9 : 0xfff8, 16)
  head.push(size <= 256 ? 6 : 7, 4)
  head.push(named && sampleRate < 65_536 ? 13 : 0, 4)
  const pairing = block.length === 2 ? pick(random, [1, 8, 9, 10]) : block.length - 1
  head.push(pairing, 4)
  head.push(named ? (BIT_CODES[bits] ?? 0) : 0, 3)
  head.push(0, 1)
  for (const byte of codedNumber(number)) head.push(byte, 8)
  head.push(size - 1, size <= 256 ? 8 : 16)
  if (named && sampleRate < 65_536) head.push(sampleRate, 16)
  head.push(crc(head.bytes(), 8, 0x07), 8)

  const [left, right] = block as [readonly number[], readonly number[]]
  const side = () => left.map((value, i) => value - right[i]!)
  const mean = () => left.map((value, i) => Math.floor((value + right[i]!) / 2))
  const coded =
    pairing === 8
      ? [left, side()]
      : pairing === 9
        ? [side(), right]
        : pairing === 10
          ? [mean(), side()]
          : block
  for (const [c, samples] of coded.entries()) {
    const wider = pairing === 9 ? c === 0 : pairing > 7 && c === 1
    subframe(random, head, samples, bits + (wider ? 1 : 0))
  }
  head.align()
  head.push(crc(head.bytes(), 16, 0x8005), 16)
  return head.bytes()
}

function subframe(random: Random, to: BitWriter, samples: readonly number[], depth: number): void {
  const wasted = wastedBits(samples, depth)
  const used = random() < 0.7 ? wasted : whole(random, 0, wasted + 1)
  const values = samples.map((value) => value / 2 ** used)
  const width = depth - used
  const head = (type: number) => {
    to.push(2 * type + (used > 0 ? 1 : 0), 8)
    if (used > 0) to.unary(used - 1)
  }
  if (random() < 0.8 && values.every((value) => value === values[0])) {
    head(0)
    to.push(values[0]!, width)
    return
  }
  const linear = random() < 0.6
  const order = linear ? whole(random, 1, 33) : whole(random, 0, 5)
  const precision = whole(random, 4, 16)
  const shift = whole(random, Math.max(0, precision - 6), Math.min(16, precision + 2))
  const coefficients = linear ? drawn(random, order, precision) : FIXED[order]!
  const residual = predicted(values, coefficients, linear ? shift : 0)
  const fits = residual.every((value) => Math.abs(value) < 2 ** 31)
  if (values.length <= order || !fits || random() < 0.05) {
    head(1)
    for (const value of values) to.push(value, width)
    return
  }
  head(linear ? 31 + order : 8 + order)
  for (const value of values.slice(0, order)) to.push(value, width)
  if (linear) {
    to.push(precision - 1, 4)
    to.push(shift, 5)
    for (const value of coefficients) to.push(value, precision)
  }
  residuals(random, to, residual, order, values.length)
}

/** Zeros that all samples end in. */
function wastedBits(samples: readonly number[], depth: number): number {
  const most = Math.min(depth - 1, 31)
  for (let bits = 0; bits < most; bits++) {
    if (samples.some((value) => value % 2 ** (bits + 1) !== 0)) return bits
  }
  return samples.every((value) => value === 0) ? 0 : most
}

const FIXED: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]]

/** Coefficients that predict well enough to keep the residual within its bits, most of the time. */
function drawn(random: Random, order: number, precision: number): number[] {
  const limit = 2 ** (precision - 1)
  const wide = random() < 0.3
  return Array.from({ length: order }, (_, i) =>
    wide || i === 0
      ? whole(random, -limit, limit)
      : whole(random, -Math.ceil(limit / 8), Math.ceil(limit / 8)),
  )
}

function predicted(
  values: readonly number[],
  coefficients: readonly number[],
  shift: number,
): number[] {
  const order = coefficients.length
  return values.slice(order).map((value, i) => {
    let sum = 0
    for (let j = 0; j < order; j++) sum += coefficients[j]! * values[i + order - 1 - j]!
    return value - Math.floor(sum / 2 ** shift)
  })
}

function residuals(
  random: Random,
  to: BitWriter,
  values: readonly number[],
  order: number,
  size: number,
): void {
  // The short parameters of method 0 would make runs of thousands of zeros for large numbers.
  const method = widthOf(values) > 22 ? 1 : pick(random, [0, 1])
  to.push(method, 2)
  const orders = Array.from({ length: 9 }, (_, i) => i).filter(
    (i) => size % 2 ** i === 0 && size / 2 ** i > order,
  )
  const partitionOrder = pick(random, orders)
  to.push(partitionOrder, 4)
  const length = size / 2 ** partitionOrder
  for (let p = 0; p < 2 ** partitionOrder; p++) {
    const part = values.slice(Math.max(0, p * length - order), (p + 1) * length - order)
    const width = widthOf(part)
    if (width < 32 && random() < 0.15) {
      to.push(2 ** (4 + method) - 1, 4 + method)
      to.push(width, 5)
      for (const value of part) to.push(value, width)
      continue
    }
    // Up to 128 zeros for each number.
    const parameter = Math.max(0, Math.min(14 + 16 * method, width - whole(random, 0, 8)))
    to.push(parameter, 4 + method)
    for (const value of part) {
      const folded = value < 0 ? -2 * value - 1 : 2 * value
      to.unary(Math.floor(folded / 2 ** parameter))
      to.push(folded % 2 ** parameter, parameter)
    }
  }
}

/** Bits that the largest of these numbers needs, with its sign; 0 if all are 0. */
function widthOf(values: readonly number[]): number {
  if (values.every((value) => value === 0)) return 0
  const most = values.reduce((max, value) => Math.max(max, value < 0 ? -value - 1 : value), 0)
  return most === 0 ? 1 : Math.floor(Math.log2(most)) + 2
}

class BitWriter {
  readonly #bytes: number[] = []
  #free = 0

  /** The lowest `width` bits of a whole number, negative ones as two's complement. */
  push(value: number, width: number): void {
    const bits = BigInt.asUintN(64, BigInt(value))
    for (let i = width - 1; i >= 0; i--) this.#bit(Number((bits >> BigInt(i)) & 1n))
  }

  /** So many zeros, then a one. */
  unary(zeros: number): void {
    for (let i = 0; i < zeros; i++) this.#bit(0)
    this.#bit(1)
  }

  align(): void {
    this.#free = 0
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes)
  }

  #bit(bit: number): void {
    if (this.#free === 0) {
      this.#bytes.push(0)
      this.#free = 8
    }
    this.#free--
    const last = this.#bytes.length - 1
    this.#bytes[last] = this.#bytes[last]! | (bit << this.#free)
  }
}

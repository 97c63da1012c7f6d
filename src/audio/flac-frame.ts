import { BitReader, Damaged, OutOfBits } from './bit-reader.ts'
import { type FrameHeader, frameHeader, type StreamInfo } from './flac-header.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** A decoded frame of FLAC. */
interface FlacFrame {
  /** Integer samples of each channel, valid until the next frame is decoded. */
  channels: Float64Array[]
  /** Samples per channel. */
  samples: number
  /** Hertz. */
  sampleRate: number
  /** Bits per sample: the samples are in −2^(bits−1)…2^(bits−1)−1. */
  bits: number
  /** Where the frame ends. */
  end: number
}

/**
 * Decodes single frames of FLAC (RFC 9639, section 9), of every bit depth from 4 to 32.
 *
 * Samples and predictions are integers of up to 51 bits, which 64-bit floats hold exactly, so one
 * arithmetic serves all depths.
 */
export class FlacFrameDecoder {
  readonly #bits = new BitReader()
  readonly #scratch: Float64Array[] = []
  readonly #coefficients = new Float64Array(32)

  constructor(private readonly info: StreamInfo) {}

  /**
   * Decodes the frame at `at`.
   *
   * @param bytes a stream's bytes, with at least {@link BitReader.MARGIN} readable ones after `end`
   * @param end where the stream's bytes end
   * @returns 'none' when there is no frame header, 'incomplete' when the bytes end within the frame,
   * 'damaged' when the frame is invalid or its checksum does not match
   */
  decode(
    bytes: Uint8Array,
    at: number,
    end: number,
  ): FlacFrame | 'none' | 'incomplete' | 'damaged' {
    const header = frameHeader(bytes, at, this.info)
    if (!header) return 'none'
    if (header.end > end) return 'incomplete'
    const channels = this.#channels(header)
    let frameEnd: number
    try {
      this.#bits.open(bytes, header.end, end)
      for (const [c, samples] of channels.entries()) {
        // The difference of two channels needs one more bit.
        const side = header.assignment === 9 ? c === 0 : header.assignment >= 8 && c === 1
        this.#subframe(samples, header.bits + (side ? 1 : 0))
      }
      this.#bits.align()
      frameEnd = this.#bits.position + 2
    } catch (error) {
      if (error instanceof OutOfBits) return end - at < mostBytes(header) ? 'incomplete' : 'damaged'
      if (error instanceof Damaged) return 'damaged'
      throw error
    }
    if (frameEnd > end) return 'incomplete'
    if (crc16(bytes, at, frameEnd) !== 0) return 'damaged'
    restoreStereo(channels, header.assignment)
    const { samples, sampleRate, bits } = header
    return { channels, samples, sampleRate, bits, end: frameEnd }
  }

  #channels({ channels, samples }: FrameHeader): Float64Array[] {
    return Array.from({ length: channels }, (_, c) => {
      const held = this.#scratch[c]
      const all = held && held.length >= samples ? held : new Float64Array(samples)
      this.#scratch[c] = all
      return all.subarray(0, samples)
    })
  }

  /** A subframe (RFC 9639, 9.2): one channel. */
  #subframe(out: Float64Array, depth: number): void {
    const bits = this.#bits
    const head = bits.unsigned(8)
    const wasted = head & 1 ? bits.unary() + 1 : 0
    const width = depth - wasted
    if (head & 0x80 || width < 1) throw new Damaged()
    const type = head >> 1
    if (type === 0) out.fill(bits.signed(width))
    else if (type === 1) for (let i = 0; i < out.length; i++) out[i] = bits.signed(width)
    else if (type >= 8 && type <= 12) this.#predicted(out, width, type - 8, FIXED[type - 8])
    else if (type >= 32) this.#predicted(out, width, type - 31)
    else throw new Damaged()
    if (wasted > 0) {
      const scale = 2 ** wasted
      for (let i = 0; i < out.length; i++) out[i]! *= scale
    }
  }

  /** A predictor (9.2.5, 9.2.6); one that is not fixed has its coefficients in the stream. */
  #predicted(out: Float64Array, width: number, order: number, fixed?: Float64Array): void {
    if (order > out.length) throw new Damaged()
    const bits = this.#bits
    for (let i = 0; i < order; i++) out[i] = bits.signed(width)
    const coefficients = fixed ?? this.#coefficients
    let scale = 1
    if (!fixed) {
      const precision = bits.unsigned(4) + 1
      const shift = bits.signed(5)
      if (precision === 16 || shift < 0) throw new Damaged()
      for (let i = order - 1; i >= 0; i--) coefficients[i] = bits.signed(precision)
      scale = 2 ** -shift
    }
    this.#residual(out, order)
    for (let i = order; i < out.length; i++) {
      let sum = 0
      for (let j = 0, from = i - order; j < order; j++) sum += coefficients[j]! * out[from + j]!
      out[i]! += Math.floor(sum * scale)
    }
  }

  /** The coded residual (9.2.7), written to `out` from `order` on. */
  #residual(out: Float64Array, order: number): void {
    const bits = this.#bits
    const method = bits.unsigned(2)
    if (method > 1) throw new Damaged()
    const parameterBits = 4 + method
    const partitions = 1 << bits.unsigned(4)
    const length = out.length / partitions
    if (!Number.isInteger(length) || length < order) throw new Damaged()
    for (let p = 0, from = order; p < partitions; p++) {
      const to = (p + 1) * length
      const parameter = bits.unsigned(parameterBits)
      if (parameter < (1 << parameterBits) - 1) bits.rice(out, from, to, parameter)
      else {
        const width = bits.unsigned(5)
        if (width === 0) out.fill(0, from, to)
        else for (let i = from; i < to; i++) out[i] = bits.signed(width)
      }
      from = to
    }
  }
}

/** Coefficients of the fixed predictors by order, in the order of the samples: the reverse of the file's. */
const FIXED = [[], [1], [-1, 2], [1, -3, 3], [-1, 4, -6, 4]].map((row) => Float64Array.from(row))

/** More bytes than any encoder needs for a frame: eight times those of the plain samples. */
function mostBytes({ samples, channels, bits }: FrameHeader): number {
  return 1024 + samples * channels * (bits + 1)
}

/** Restores left and right from one of them, or their mean, and the difference (RFC 9639, 4.2). */
function restoreStereo([first, second]: readonly Float64Array[], assignment: number): void {
  if (!first || !second || assignment < 8) return
  if (assignment === 8) for (let i = 0; i < first.length; i++) second[i] = first[i]! - second[i]!
  else if (assignment === 9) for (let i = 0; i < first.length; i++) first[i]! += second[i]!
  else {
    for (let i = 0; i < first.length; i++) {
      const side = second[i]!
      // The bit that the mean lost is the lowest bit of the difference.
      const sum = 2 * first[i]! + (side & 1)
      first[i] = (sum + side) / 2
      second[i] = (sum - side) / 2
    }
  }
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x8000 ? 0x18005 : 0)
  return value
})

/** 0 over bytes that end in their own checksum. */
function crc16(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0
  for (let i = from; i < to; i++) crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >> 8) ^ bytes[i]!]!
  return crc
}

/** Samples per channel that make a block; frames may have as few as one. */
const ENOUGH = 16_384
/** Room for an unfinished block and the longest frame. */
const CAPACITY = 2 * 65_536

/** Joins frames of FLAC into blocks of PCM. */
export class FlacBlocks {
  #channels: Float32Array[] = []
  #length = 0
  #sampleRate = 0

  /** Adds a frame. @returns the block that is ready now, if any */
  add({ channels, samples, sampleRate, bits }: FlacFrame): PcmBlock | undefined {
    const same = channels.length === this.#channels.length && sampleRate === this.#sampleRate
    const before = same ? undefined : this.end()
    if (!same) this.#channels = channels.map(() => new Float32Array(CAPACITY))
    this.#sampleRate = sampleRate
    const scale = 2 ** (1 - bits)
    for (const [c, from] of channels.entries()) {
      const to = this.#channels[c]!
      for (let i = 0, at = this.#length; i < samples; i++, at++) to[at] = from[i]! * scale
    }
    this.#length += samples
    return before ?? (this.#length >= ENOUGH ? this.end() : undefined)
  }

  /** The unfinished block. */
  end(): PcmBlock | undefined {
    if (this.#length === 0) return undefined
    const channels = this.#channels.map((samples) => samples.slice(0, this.#length))
    this.#length = 0
    return { channels, sampleRate: this.#sampleRate }
  }
}

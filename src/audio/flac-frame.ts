import { BitReader, DamagedBitsError, OutOfBitsError } from './bit-reader.ts'
import { type FrameHeader, readFrameHeader, type StreamInfo } from './flac-header.ts'
import type { PcmBlock } from './pcm-stream.ts'

interface FlacFrame {
  /** Integer samples of each channel, valid until the next frame is decoded. */
  channels: Float64Array[]
  samples: number
  sampleRate: number
  /** Bits per sample: the samples are in −2^(bits−1)…2^(bits−1)−1. */
  bits: number
  end: number
}

/**
 * Single frames of FLAC (RFC 9639, section 9). Predictions of up to 51 bits are exact in 64-bit
 * floats.
 */
export class FlacFrameDecoder {
  readonly #bits = new BitReader()
  readonly #scratch: Float64Array[] = []
  readonly #coefficients = new Float64Array(32)

  constructor(private readonly info: StreamInfo) {}

  /**
   * The bytes need {@link BitReader.MARGIN} more after `end`. 'incomplete' when they end within the
   * frame, 'damaged' when the checksum differs.
   */
  decodeFrame(
    bytes: Uint8Array,
    offset: number,
    end: number,
  ): FlacFrame | 'none' | 'incomplete' | 'damaged' {
    const header = readFrameHeader(bytes, offset, this.info)
    if (!header) return 'none'
    if (header.end > end) return 'incomplete'
    const channels = this.#channelBuffers(header)
    let frameEnd: number
    try {
      this.#bits.openBytes(bytes, header.end, end)
      for (const [c, samples] of channels.entries()) {
        // The difference of two channels needs one more bit.
        const side = header.assignment === 9 ? c === 0 : header.assignment >= 8 && c === 1
        this.#decodeSubframe(samples, header.bits + (side ? 1 : 0))
      }
      this.#bits.alignToByte()
      frameEnd = this.#bits.bytePosition + 2
    } catch (error) {
      if (error instanceof OutOfBitsError)
        return end - offset < maxFrameBytes(header) ? 'incomplete' : 'damaged'
      if (error instanceof DamagedBitsError) return 'damaged'
      throw error
    }
    if (frameEnd > end) return 'incomplete'
    if (crc16(bytes, offset, frameEnd) !== 0) return 'damaged'
    restoreStereo(channels, header.assignment)
    const { samples, sampleRate, bits } = header
    return { channels, samples, sampleRate, bits, end: frameEnd }
  }

  #channelBuffers({ channels, samples }: FrameHeader): Float64Array[] {
    return Array.from({ length: channels }, (_, c) => {
      const scratch = this.#scratch[c]
      const samplesOfChannel =
        scratch && scratch.length >= samples ? scratch : new Float64Array(samples)
      this.#scratch[c] = samplesOfChannel
      return samplesOfChannel.subarray(0, samples)
    })
  }

  /** A subframe (RFC 9639, 9.2): one channel. */
  #decodeSubframe(out: Float64Array, depth: number): void {
    const bits = this.#bits
    const head = bits.readUnsigned(8)
    const wasted = head & 1 ? bits.readUnary() + 1 : 0
    const width = depth - wasted
    if (head & 0x80 || width < 1) throw new DamagedBitsError()
    const type = head >> 1
    if (type === 0) out.fill(bits.readSigned(width))
    else if (type === 1) for (let i = 0; i < out.length; i++) out[i] = bits.readSigned(width)
    else if (type >= 8 && type <= 12)
      this.#decodePredicted(out, width, type - 8, FIXED_PREDICTORS[type - 8])
    else if (type >= 32) this.#decodePredicted(out, width, type - 31)
    else throw new DamagedBitsError()
    if (wasted > 0) {
      const scale = 2 ** wasted
      for (let i = 0; i < out.length; i++) out[i]! *= scale
    }
  }

  /** A predictor (9.2.5, 9.2.6); one that is not fixed has its coefficients in the stream. */
  #decodePredicted(out: Float64Array, width: number, order: number, fixed?: Float64Array): void {
    if (order > out.length) throw new DamagedBitsError()
    const bits = this.#bits
    for (let i = 0; i < order; i++) out[i] = bits.readSigned(width)
    const coefficients = fixed ?? this.#coefficients
    let scale = 1
    if (!fixed) {
      const precision = bits.readUnsigned(4) + 1
      const shift = bits.readSigned(5)
      if (precision === 16 || shift < 0) throw new DamagedBitsError()
      for (let i = order - 1; i >= 0; i--) coefficients[i] = bits.readSigned(precision)
      scale = 2 ** -shift
    }
    this.#decodeResidual(out, order)
    for (let i = order; i < out.length; i++) {
      let sum = 0
      for (let j = 0, from = i - order; j < order; j++) sum += coefficients[j]! * out[from + j]!
      out[i]! += Math.floor(sum * scale)
    }
  }

  /** The coded residual (9.2.7), written to `out` from `order` on. */
  #decodeResidual(out: Float64Array, order: number): void {
    const bits = this.#bits
    const method = bits.readUnsigned(2)
    if (method > 1) throw new DamagedBitsError()
    const parameterBits = 4 + method
    const partitions = 1 << bits.readUnsigned(4)
    const length = out.length / partitions
    if (!Number.isInteger(length) || length < order) throw new DamagedBitsError()
    for (let p = 0, start = order; p < partitions; p++) {
      const end = (p + 1) * length
      const parameter = bits.readUnsigned(parameterBits)
      if (parameter < (1 << parameterBits) - 1) bits.readRice(out, start, end, parameter)
      else {
        const width = bits.readUnsigned(5)
        if (width === 0) out.fill(0, start, end)
        else for (let i = start; i < end; i++) out[i] = bits.readSigned(width)
      }
      start = end
    }
  }
}

/** In the order of the samples: the reverse of the file's. */
const FIXED_PREDICTORS = [[], [1], [-1, 2], [1, -3, 3], [-1, 4, -6, 4]].map((row) =>
  Float64Array.from(row),
)

/** More bytes than any encoder needs for a frame. */
function maxFrameBytes({ samples, channels, bits }: FrameHeader): number {
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

const CRC16_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x8000 ? 0x18005 : 0)
  return value
})

/** 0 over bytes that end in their own checksum. */
function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0
  for (let i = start; i < end; i++)
    crc = ((crc << 8) & 0xffff) ^ CRC16_TABLE[(crc >> 8) ^ bytes[i]!]!
  return crc
}

/** Frames may have as few as one sample. */
const MIN_BLOCK_SAMPLES = 16_384
/** Room for an unfinished block and the longest frame. */
const BLOCK_CAPACITY = 2 * 65_536

export class FlacBlocks {
  #channels: Float32Array[] = []
  #length = 0
  #sampleRate = 0

  /** @returns the block that is ready now, if any */
  addFrame({ channels, samples, sampleRate, bits }: FlacFrame): PcmBlock | undefined {
    const same = channels.length === this.#channels.length && sampleRate === this.#sampleRate
    const finishedBlock = same ? undefined : this.endBlock()
    if (!same) this.#channels = channels.map(() => new Float32Array(BLOCK_CAPACITY))
    this.#sampleRate = sampleRate
    const scale = 2 ** (1 - bits)
    for (const [c, samplesOfChannel] of channels.entries()) {
      const target = this.#channels[c]!
      for (let i = 0, offset = this.#length; i < samples; i++, offset++)
        target[offset] = samplesOfChannel[i]! * scale
    }
    this.#length += samples
    return finishedBlock ?? (this.#length >= MIN_BLOCK_SAMPLES ? this.endBlock() : undefined)
  }

  endBlock(): PcmBlock | undefined {
    if (this.#length === 0) return undefined
    const channels = this.#channels.map((samples) => samples.slice(0, this.#length))
    this.#length = 0
    return { channels, sampleRate: this.#sampleRate }
  }
}

import { endianness } from 'node:os'
import { type ByteSource, READ_BYTES } from './byte-source.ts'
import { ALAW, MULAW } from './g711.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** How one sample is stored. Integers are signed but for `u8`. */
export type SampleFormat = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'mulaw' | 'alaw'

const BYTES: Readonly<Record<SampleFormat, number>> = {
  u8: 1,
  s8: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
  mulaw: 1,
  alaw: 1,
}

/** Interleaved PCM. */
export interface PcmLayout {
  format: SampleFormat
  bigEndian: boolean
  channels: number
  sampleRate: number
}

/** Bytes of one frame, that is one sample of each channel. */
export function frameBytes({ format, channels }: PcmLayout): number {
  return BYTES[format] * channels
}

/** The signed integer format that is `bytes` wide, if there is one. */
export function signedFormat(bytes: number): SampleFormat | undefined {
  return ([undefined, 's8', 's16', 's24', 's32'] as const)[bytes]
}

/** Reads the PCM of `source` from its start to its end; an incomplete last frame is dropped. */
export async function* readPcm(
  source: ByteSource,
  layout: PcmLayout,
): AsyncGenerator<PcmBlock, void, void> {
  const size = frameBytes(layout)
  const perRead = Math.max(1, Math.min(65_536, Math.floor(READ_BYTES / size)))
  const planar = new Planar(layout)
  for (let position = 0; position + size <= source.size; ) {
    const bytes = await source.read(position, perRead * size)
    const frames = Math.floor(bytes.length / size)
    if (frames === 0) return
    position += frames * size
    yield planar.convert(bytes, frames)
  }
}

/** Converts interleaved bytes to planar samples, in arrays that each call reuses. */
export class Planar {
  readonly #layout: PcmLayout
  #channels: Float32Array[] = []

  constructor(layout: PcmLayout) {
    this.#layout = layout
  }

  /**
   * @param bytes whole frames, at offset 0 of their buffer; swapped in place where the file's byte
   * order is not the machine's
   */
  convert(bytes: Uint8Array<ArrayBuffer>, frames: number): PcmBlock {
    const { channels, sampleRate, format } = this.#layout
    if ((this.#channels[0]?.length ?? -1) < frames) {
      this.#channels = Array.from({ length: channels }, () => new Float32Array(frames))
    }
    this.#orient(bytes.subarray(0, frames * channels * BYTES[format]))
    const out = this.#channels.map((channel) => channel.subarray(0, frames))
    for (let c = 0; c < channels; c++) this.#fill(out[c]!, bytes, c)
    return { channels: out, sampleRate }
  }

  /** Brings samples of 2, 4 and 8 bytes into the machine's order; 3 bytes become little-endian. */
  #orient(bytes: Uint8Array<ArrayBuffer>): void {
    const { bigEndian, format } = this.#layout
    const width = BYTES[format]
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (width === 3 && bigEndian) {
      for (let i = 0; i + 2 < buffer.length; i += 3) {
        const first = buffer[i]!
        buffer[i] = buffer[i + 2]!
        buffer[i + 2] = first
      }
    }
    if (width === 3 || bigEndian === (endianness() === 'BE')) return
    if (width === 2) buffer.swap16()
    else if (width === 4) buffer.swap32()
    else if (width === 8) buffer.swap64()
  }

  #fill(out: Float32Array, bytes: Uint8Array<ArrayBuffer>, channel: number): void {
    const step = this.#layout.channels
    const { format } = this.#layout
    if (format === 'mulaw') look(out, bytes, channel, step, MULAW)
    else if (format === 'alaw') look(out, bytes, channel, step, ALAW)
    else if (format === 's24') scale24(out, bytes, channel, step)
    else {
      const [factor, offset] = SCALE[format]
      scale(out, typedView(bytes, format), channel, step, factor, offset)
    }
  }
}

/** Full scale of each format to 1, and what to add. */
const SCALE = {
  u8: [1 / 128, -1],
  s8: [1 / 128, 0],
  s16: [1 / 32_768, 0],
  s32: [1 / 2_147_483_648, 0],
  f32: [1, 0],
  f64: [1, 0],
} as const

function typedView(bytes: Uint8Array<ArrayBuffer>, format: keyof typeof SCALE): Samples {
  switch (format) {
    case 'u8':
      return bytes
    case 's8':
      return cover(Int8Array, bytes)
    case 's16':
      return cover(Int16Array, bytes)
    case 's32':
      return cover(Int32Array, bytes)
    case 'f32':
      return cover(Float32Array, bytes)
    case 'f64':
      return cover(Float64Array, bytes)
  }
}

type Samples = Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array

function cover<T>(
  Kind: { new (buffer: ArrayBuffer, offset: number, length: number): T; BYTES_PER_ELEMENT: number },
  bytes: Uint8Array<ArrayBuffer>,
): T {
  return new Kind(bytes.buffer, 0, Math.floor(bytes.length / Kind.BYTES_PER_ELEMENT))
}

function scale(
  out: Float32Array,
  from: Samples,
  first: number,
  step: number,
  factor: number,
  offset: number,
): void {
  for (let i = 0, j = first; i < out.length; i++, j += step) out[i] = from[j]! * factor + offset
}

function scale24(out: Float32Array, bytes: Uint8Array, first: number, step: number): void {
  for (let i = 0, j = 3 * first; i < out.length; i++, j += 3 * step) {
    // Into the upper three bytes, so that the sign comes with the shift back.
    const value = ((bytes[j + 2]! << 24) | (bytes[j + 1]! << 16) | (bytes[j]! << 8)) >> 8
    out[i] = value / 8_388_608
  }
}

function look(
  out: Float32Array,
  bytes: Uint8Array,
  first: number,
  step: number,
  table: Float32Array,
): void {
  for (let i = 0, j = first; i < out.length; i++, j += step) out[i] = table[bytes[j]!]!
}

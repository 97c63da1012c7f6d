import { endianness } from 'node:os'
import { type ByteSource, pieces, READ_BYTES } from './bytes.ts'
import type { Container } from './formats.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

/** How one sample is stored. Integers are signed except `u8`. */
export type SampleFormat = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'mulaw' | 'alaw'

type Numbers = Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array

interface Stored {
  bytes: number
  /** The array type of this format in the machine's byte order, and how to scale it to −1…1. */
  numbers?: new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => Numbers
  scale?: number
  offset?: number
  /** The values of the 256 codes. */
  table?: Float32Array
}

/** The values of the 256 codes of μ-law, ITU-T G.711 table 2, over −1…1. */
const MULAW: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const segment = (bits >> 4) & 7
  // The 14-bit law scaled to 16 bits: a bias of 33 · 4 = 132.
  const magnitude = ((((bits & 15) << 3) + 132) << segment) - 132
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768
})

/** The values of the 256 codes of A-law, ITU-T G.711 table 1, over −1…1. */
const ALAW: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 7
  const step = ((bits & 15) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
})

const STORED: Readonly<Record<SampleFormat, Stored>> = {
  u8: { bytes: 1, numbers: Uint8Array, scale: 2 ** -7, offset: -1 },
  s8: { bytes: 1, numbers: Int8Array, scale: 2 ** -7 },
  s16: { bytes: 2, numbers: Int16Array, scale: 2 ** -15 },
  s24: { bytes: 3 },
  s32: { bytes: 4, numbers: Int32Array, scale: 2 ** -31 },
  f32: { bytes: 4, numbers: Float32Array },
  f64: { bytes: 8, numbers: Float64Array },
  mulaw: { bytes: 1, numbers: Uint8Array, table: MULAW },
  alaw: { bytes: 1, numbers: Uint8Array, table: ALAW },
}

/** Interleaved PCM. */
export interface PcmLayout {
  format: SampleFormat
  bigEndian: boolean
  channels: number
  sampleRate: number
}

/** Bytes of one frame: one sample of each channel. */
export function frameBytes({ format, channels }: PcmLayout): number {
  return STORED[format].bytes * channels
}

/** The signed integer format that is `bytes` wide, if there is one. */
export function signedFormat(bytes: number): SampleFormat | undefined {
  return ([undefined, 's8', 's16', 's24', 's32'] as const)[bytes]
}

/** The PCM of `data` from its start to its end; an incomplete last frame is dropped. */
export function pcmStream(
  container: Container,
  data: ByteSource,
  layout: PcmLayout,
  truncated: boolean,
): PcmStream {
  const { format, channels, sampleRate } = layout
  return {
    container,
    codec: format,
    decoder: 'pcm',
    sampleRate,
    channels,
    frames: channels > 0 ? Math.floor(data.size / frameBytes(layout)) : 0,
    blocks: readPcm(data, layout, truncated),
  }
}

async function* readPcm(
  source: ByteSource,
  layout: PcmLayout,
  truncated: boolean,
): AsyncGenerator<PcmBlock, boolean, void> {
  const size = frameBytes(layout)
  const perRead = Math.max(1, Math.floor(READ_BYTES / size))
  const convert = planar(layout)
  for await (const bytes of pieces(source, perRead * size)) {
    if (bytes.length >= size) yield convert(bytes)
  }
  return truncated
}

/**
 * Converts interleaved bytes to planar samples, in arrays that each call reuses. The bytes must begin
 * at offset 0 of their buffer, and are changed where the file's byte order is not the machine's; an
 * incomplete last frame is dropped.
 */
export function planar(layout: PcmLayout): (bytes: Uint8Array<ArrayBuffer>) => PcmBlock {
  const { channels, sampleRate, format, bigEndian } = layout
  const { bytes: width, numbers: Numbers, scale = 1, offset = 0, table } = STORED[format]
  const swap = bigEndian === (endianness() === 'BE') ? undefined : SWAPS[width]
  let room: Float32Array[] = []
  return (bytes) => {
    const frames = Math.floor(bytes.length / frameBytes(layout))
    const count = frames * channels
    if ((room[0]?.length ?? -1) < frames) {
      room = Array.from({ length: channels }, () => new Float32Array(frames))
    }
    if (swap) Buffer.from(bytes.buffer, 0, count * width)[swap]()
    const from = Numbers ? new Numbers(bytes.buffer, 0, count) : bytes
    const out = room.map((channel) => channel.subarray(0, frames))
    for (const [first, samples] of out.entries()) {
      if (Numbers) rescale(samples, from, first, channels, table, scale, offset)
      else rescale24(samples, bytes, first, channels, bigEndian)
      if (format === 'f32' || format === 'f64') silenceInvalid(samples)
    }
    return { channels: out, sampleRate }
  }
}

/** NaN and infinities, which float files may hold, would spread through every later figure. */
function silenceInvalid(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) if (!Number.isFinite(samples[i])) samples[i] = 0
}

/** The Buffer methods that reverse the bytes of each sample, by bytes per sample. */
const SWAPS: Partial<Record<number, 'swap16' | 'swap32' | 'swap64'>> = {
  2: 'swap16',
  4: 'swap32',
  8: 'swap64',
}

function rescale(
  out: Float32Array,
  from: Numbers,
  first: number,
  step: number,
  table: Float32Array | undefined,
  scale: number,
  offset: number,
): void {
  const { length } = out
  if (table) for (let i = 0, j = first; i < length; i++, j += step) out[i] = table[from[j]!]!
  else for (let i = 0, j = first; i < length; i++, j += step) out[i] = from[j]! * scale + offset
}

function rescale24(
  out: Float32Array,
  bytes: Uint8Array,
  first: number,
  step: number,
  bigEndian: boolean,
): void {
  const [high, low] = bigEndian ? [0, 2] : [2, 0]
  for (let i = 0, j = 3 * first; i < out.length; i++, j += 3 * step) {
    // In the upper three bytes, so that the 32-bit number has the sign.
    const value = (bytes[j + high]! << 24) | (bytes[j + 1]! << 16) | (bytes[j + low]! << 8)
    out[i] = value / 2 ** 31
  }
}

import { endianness } from 'node:os'
import { type ByteSource, pieces, READ_BYTES } from './bytes.ts'
import type { Container } from './formats.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

/** How one sample is stored. Integers are signed except `u8`. */
export type SampleFormat = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'mulaw' | 'alaw'

type NumberArray = Uint8Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array

interface StoredFormat {
  bytes: number
  /** The array type of this format in the machine's byte order, and how to scale it to −1…1. */
  numbers?: new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => NumberArray
  scale?: number
  offset?: number
  /** The values of the 256 codes. */
  table?: Float32Array
}

/** The values of the 256 codes of μ-law, ITU-T G.711 table 2, over −1…1. */
const MULAW_VALUES: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const segment = (bits >> 4) & 7
  // The 14-bit law scaled to 16 bits: a bias of 33 · 4 = 132.
  const magnitude = ((((bits & 15) << 3) + 132) << segment) - 132
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768
})

/** The values of the 256 codes of A-law, ITU-T G.711 table 1, over −1…1. */
const ALAW_VALUES: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 7
  const step = ((bits & 15) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
})

const STORED_FORMATS: Readonly<Record<SampleFormat, StoredFormat>> = {
  u8: { bytes: 1, numbers: Uint8Array, scale: 2 ** -7, offset: -1 },
  s8: { bytes: 1, numbers: Int8Array, scale: 2 ** -7 },
  s16: { bytes: 2, numbers: Int16Array, scale: 2 ** -15 },
  s24: { bytes: 3 },
  s32: { bytes: 4, numbers: Int32Array, scale: 2 ** -31 },
  f32: { bytes: 4, numbers: Float32Array },
  f64: { bytes: 8, numbers: Float64Array },
  mulaw: { bytes: 1, numbers: Uint8Array, table: MULAW_VALUES },
  alaw: { bytes: 1, numbers: Uint8Array, table: ALAW_VALUES },
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
  return STORED_FORMATS[format].bytes * channels
}

export function signedFormat(bytes: number): SampleFormat | undefined {
  return ([undefined, 's8', 's16', 's24', 's32'] as const)[bytes]
}

/** An incomplete last frame is dropped. */
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
  const convert = createPlanarReader(layout)
  for await (const bytes of pieces(source, perRead * size)) {
    if (bytes.length >= size) yield convert(bytes)
  }
  return truncated
}

/**
 * Converts interleaved bytes to planar samples, in arrays that are reused; the bytes may be swapped
 * in place.
 */
export function createPlanarReader(
  layout: PcmLayout,
): (bytes: Uint8Array<ArrayBuffer>) => PcmBlock {
  const { channels, sampleRate, format, bigEndian } = layout
  const { bytes: width, numbers: Numbers, scale = 1, offset = 0, table } = STORED_FORMATS[format]
  const swap = bigEndian === (endianness() === 'BE') ? undefined : SWAP_METHODS[width]
  let buffers: Float32Array[] = []
  return (bytes) => {
    const frames = Math.floor(bytes.length / frameBytes(layout))
    const count = frames * channels
    if ((buffers[0]?.length ?? -1) < frames) {
      buffers = Array.from({ length: channels }, () => new Float32Array(frames))
    }
    if (swap) Buffer.from(bytes.buffer, 0, count * width)[swap]()
    const numbers = Numbers ? new Numbers(bytes.buffer, 0, count) : bytes
    const channelSamples = buffers.map((channel) => channel.subarray(0, frames))
    for (const [first, samples] of channelSamples.entries()) {
      if (Numbers) rescaleSamples(samples, numbers, first, channels, table, scale, offset)
      else rescale24Bits(samples, bytes, first, channels, bigEndian)
      if (format === 'f32' || format === 'f64') silenceInvalid(samples)
    }
    return { channels: channelSamples, sampleRate }
  }
}

/** NaN and infinities would spread through every later figure. */
function silenceInvalid(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) if (!Number.isFinite(samples[i])) samples[i] = 0
}

/** The Buffer methods that reverse the bytes of each sample, by bytes per sample. */
const SWAP_METHODS: Partial<Record<number, 'swap16' | 'swap32' | 'swap64'>> = {
  2: 'swap16',
  4: 'swap32',
  8: 'swap64',
}

function rescaleSamples(
  out: Float32Array,
  from: NumberArray,
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

function rescale24Bits(
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

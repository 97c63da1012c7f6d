import { awake } from './awake.ts'
import type { PcmBlock } from './pcm-stream.ts'
import { quietly } from './quiet.ts'

/** The STREAMINFO block of a FLAC file (RFC 9639, 8.2). */
export interface StreamInfo {
  minBlock: number
  maxBlock: number
  /** Bytes of the largest frame, 0 when unknown. */
  maxFrame: number
  sampleRate: number
  channels: number
  bits: number
  /** Samples per channel, 0 when unknown. */
  frames: number
}

interface Decoded {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
}

interface Decoder {
  decodeFrames(frames: Uint8Array[]): Decoded | Promise<Decoded>
  free(): void
}

/** Reads STREAMINFO from the start of a FLAC file, "fLaC" included; undefined when that is not what `bytes` is. */
export function streamInfo(bytes: Uint8Array): StreamInfo | undefined {
  if (bytes.length < 42 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'fLaC') return undefined
  if ((bytes[4]! & 127) !== 0) return undefined
  const fields = new DataView(bytes.buffer, bytes.byteOffset + 8, 34)
  const packed = fields.getUint32(10)
  return {
    minBlock: fields.getUint16(0),
    maxBlock: fields.getUint16(2),
    maxFrame: fields.getUint32(6) >>> 8,
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    frames: (packed & 15) * 2 ** 32 + fields.getUint32(14),
  }
}

/** libFLAC (WebAssembly, package @audio/decode-flac), fed with single frames. */
export class LibFlac {
  readonly #decoder: Decoder
  readonly #info: StreamInfo

  private constructor(decoder: Decoder, info: StreamInfo) {
    this.#decoder = decoder
    this.#info = info
  }

  static async create(info: StreamInfo): Promise<LibFlac> {
    const { decoder } = await awake(import('@audio/decode-flac'))
    return new LibFlac((await awake(decoder())) as unknown as Decoder, info)
  }

  /** @returns undefined when the frames give no sound (none, or all damaged) */
  async decode(frames: Uint8Array[]): Promise<PcmBlock | undefined> {
    if (frames.length === 0) return undefined
    const decoded = await quietly(() => this.#decoder.decodeFrames(frames))
    if (!decoded.samplesDecoded || decoded.channelData.length === 0) return undefined
    for (const channel of decoded.channelData) rescale(channel, this.#info.bits)
    return {
      channels: decoded.channelData,
      sampleRate: decoded.sampleRate || this.#info.sampleRate,
    }
  }

  free(): void {
    this.#decoder.free()
  }
}

/**
 * The package divides by 2^(bits−1) − 1. Full scale is 2^(bits−1) in every other reader here, so that
 * the same samples come out of a WAV and a FLAC file.
 */
function rescale(samples: Float32Array, bits: number): void {
  const full = 2 ** (bits - 1)
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(samples[i]! * (full - 1)) / full
  }
}

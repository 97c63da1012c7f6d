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
  /** "fLaC" and the block itself, marked as the last of the metadata. */
  head: Uint8Array
}

interface Decoded {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
  /** One for each frame that was damaged. */
  errors?: readonly unknown[]
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
  const head = bytes.slice(0, 42)
  head[4] = 0x80
  return {
    minBlock: fields.getUint16(0),
    maxBlock: fields.getUint16(2),
    maxFrame: fields.getUint32(6) >>> 8,
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    frames: (packed & 15) * 2 ** 32 + fields.getUint32(14),
    head,
  }
}

/** libFLAC (WebAssembly, package @audio/decode-flac), fed with single frames. */
export class LibFlac {
  #decoder: Decoder
  readonly #info: StreamInfo
  /** Frames that gave no sound. */
  lost = 0

  private constructor(decoder: Decoder, info: StreamInfo) {
    this.#decoder = decoder
    this.#info = info
  }

  static async create(info: StreamInfo): Promise<LibFlac> {
    return new LibFlac(await open(info), info)
  }

  /** @returns undefined when the frames give no sound (none, or all damaged) */
  async decode(frames: Uint8Array[]): Promise<PcmBlock | undefined> {
    if (frames.length === 0) return undefined
    const decoded = await quietly(() => this.#decoder.decodeFrames(frames))
    if (!decoded.errors?.length) return this.#blockOf(decoded)
    // libFLAC finds its way no more after a damaged frame, though the next ones are whole.
    const blocks: PcmBlock[] = []
    for (const frame of frames) {
      await this.#restart()
      const one = await quietly(() => this.#decoder.decodeFrames([frame]))
      const block = one.errors?.length ? undefined : this.#blockOf(one)
      if (block) blocks.push(block)
      else this.lost++
    }
    await this.#restart()
    return joined(blocks)
  }

  free(): void {
    this.#decoder.free()
  }

  async #restart(): Promise<void> {
    const decoder = await open(this.#info)
    this.#decoder.free()
    this.#decoder = decoder
  }

  #blockOf(decoded: Decoded): PcmBlock | undefined {
    if (!decoded.samplesDecoded || decoded.channelData.length === 0) return undefined
    for (const channel of decoded.channelData) rescale(channel, this.#info.bits)
    return {
      channels: decoded.channelData,
      sampleRate: decoded.sampleRate || this.#info.sampleRate,
    }
  }
}

async function open(info: StreamInfo): Promise<Decoder> {
  const { decoder } = await awake(import('@audio/decode-flac'))
  const flac = (await awake(decoder())) as unknown as Decoder
  // Frames may leave their sample rate and width to STREAMINFO (RFC 9639, 9.1.2 and 9.1.4).
  await quietly(() => flac.decodeFrames([info.head]))
  return flac
}

/** Blocks of one format as one block. Damage may change the format: then only the first ones count. */
function joined(blocks: readonly PcmBlock[]): PcmBlock | undefined {
  const [first] = blocks
  if (!first) return undefined
  const alike = blocks.filter(
    ({ channels, sampleRate }) =>
      channels.length === first.channels.length && sampleRate === first.sampleRate,
  )
  const frames = alike.reduce((sum, { channels }) => sum + (channels[0]?.length ?? 0), 0)
  const channels = first.channels.map((_, c) => {
    const all = new Float32Array(frames)
    let at = 0
    for (const block of alike) {
      all.set(block.channels[c]!, at)
      at += block.channels[c]!.length
    }
    return all
  })
  return { channels, sampleRate: first.sampleRate }
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

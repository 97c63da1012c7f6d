/** The header of an MPEG-1, 2 or 2.5 audio frame (ISO/IEC 11172-3, 13818-3). */
export interface MpegFrame {
  /** The two version bits: 3 MPEG-1, 2 MPEG-2, 0 MPEG-2.5. */
  version: number
  layer: 1 | 2 | 3
  sampleRate: number
  channels: 1 | 2
  /** Bytes of the frame, header included. */
  bytes: number
  samples: number
}

const MPEG_RATES = [44_100, 48_000, 32_000] as const
// Kilobits per second by index, 0 for free format.
const KBPS_1_1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
const KBPS_1_2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const KBPS_1_3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_2_1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
const KBPS_2_X = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** Free format, which states no length, counts as no header. */
export function readMpegFrame(bytes: Uint8Array, offset: number): MpegFrame | undefined {
  if (offset + 4 > bytes.length || bytes[offset] !== 0xff) return undefined
  const second = bytes[offset + 1]!
  const third = bytes[offset + 2]!
  const fourth = bytes[offset + 3]!
  if ((second & 0xe0) !== 0xe0) return undefined
  const version = (second >> 3) & 3
  const layerBits = (second >> 1) & 3
  const bitrateIndex = third >> 4
  const rateIndex = (third >> 2) & 3
  if (version === 1 || layerBits === 0 || rateIndex === 3) return undefined
  // Emphasis 2 is reserved, which helps to distinguish headers from noise.
  if ((fourth & 3) === 2 || bitrateIndex === 0 || bitrateIndex === 15) return undefined
  const layer = (4 - layerBits) as 1 | 2 | 3
  const sampleRate = MPEG_RATES[rateIndex]! >> (version === 3 ? 0 : version === 2 ? 1 : 2)
  const table =
    version === 3 ? [KBPS_1_1, KBPS_1_2, KBPS_1_3] : ([KBPS_2_1, KBPS_2_X, KBPS_2_X] as const)
  const bitsPerSecond = table[layer - 1]![bitrateIndex]! * 1000
  const padding = (third >> 1) & 1
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const length =
    layer === 1
      ? (Math.floor((12 * bitsPerSecond) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * bitsPerSecond) / sampleRate) + padding
  return { version, layer, sampleRate, channels: fourth >> 6 === 3 ? 1 : 2, bytes: length, samples }
}

/** Version, layer and sample rate never change in one stream. */
export function isSameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.version === b.version && a.layer === b.layer && a.sampleRate === b.sampleRate
}

/**
 * Cuts whole frames out of tags, padding and damage. A frame counts when another follows or
 * precedes it.
 */
export class MpegFrameCutter {
  #remainder: Uint8Array = new Uint8Array(0)
  #isSynced = false
  /** Bytes of a tag still to skip. */
  #skippedBytes = 0
  first: MpegFrame | undefined
  frames = 0
  /** Bytes of the last frame if the stream ends within it. */
  leftOver = 0

  /** In a copy. */
  cutChunk(chunk: Uint8Array): Uint8Array {
    const skipped = Math.min(this.#skippedBytes, chunk.length)
    this.#skippedBytes -= skipped
    return this.#skippedBytes > 0 ? new Uint8Array(0) : this.#cutFrames(chunk.subarray(skipped))
  }

  /** The last frame, which no other follows. */
  cutLast(): Uint8Array {
    return this.#cutFrames(new Uint8Array(0), true)
  }

  #cutFrames(chunk: Uint8Array, isLast = false): Uint8Array {
    const bytes = this.#remainder.length === 0 ? chunk : Buffer.concat([this.#remainder, chunk])
    const out = new Uint8Array(bytes.length)
    let filled = 0
    let offset = 0
    while (offset + 4 <= bytes.length) {
      const frame = readMpegFrame(bytes, offset)
      if (!frame || (this.first && !isSameStream(this.first, frame))) {
        this.#isSynced = false
        const tag = id3Length(bytes, offset)
        if (tag === undefined) offset++
        else if (tag > 0) offset += tag
        else break
        continue
      }
      const next = offset + frame.bytes
      if (!this.#isSynced && !isLast && next + 4 > bytes.length) break
      if (next > bytes.length) {
        if (isLast && this.#isSynced) this.leftOver = bytes.length - offset
        break
      }
      if (!this.#isSynced) {
        const following = readMpegFrame(bytes, next)
        const isAlone = isLast && next + 4 > bytes.length && this.first !== undefined
        if (!(following && isSameStream(frame, following)) && !isAlone) {
          offset++
          continue
        }
      }
      this.#isSynced = true
      this.first ??= frame
      this.frames++
      out.set(bytes.subarray(offset, next), filled)
      filled += frame.bytes
      offset = next
    }
    this.#skippedBytes = Math.max(0, offset - bytes.length)
    this.#remainder = bytes.slice(Math.min(offset, bytes.length))
    return out.subarray(0, filled)
  }
}

/** Undefined when there is no tag, 0 when `bytes` ends within its header. */
export function id3Length(bytes: Uint8Array, offset: number): number | undefined {
  if (bytes[offset] !== 0x49 || bytes[offset + 1] !== 0x44 || bytes[offset + 2] !== 0x33)
    return undefined
  if (offset + 10 > bytes.length) return 0
  const size = [6, 7, 8, 9].map((i) => bytes[offset + i]!)
  // Sizes have 7 bits in a byte; versions are never 0xff (ID3v2.4 structure, 3.1).
  if (size.some((byte) => byte > 127) || bytes[offset + 3] === 0xff || bytes[offset + 4] === 0xff) {
    return undefined
  }
  const body = size.reduce((sum, byte) => sum * 128 + byte, 0)
  const footer = bytes[offset + 5]! & 0x10 ? 10 : 0
  return 10 + body + footer
}

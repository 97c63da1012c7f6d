/** The header of an MPEG-1, 2 or 2.5 audio frame (ISO/IEC 11172-3, 13818-3). */
export interface MpegFrame {
  /** The two version bits: 3 MPEG-1, 2 MPEG-2, 0 MPEG-2.5. */
  version: number
  layer: 1 | 2 | 3
  sampleRate: number
  channels: 1 | 2
  /** Bytes of the frame, header included. */
  bytes: number
  /** Samples per channel. */
  samples: number
}

const RATES = [44_100, 48_000, 32_000] as const
// Kilobits per second by index, 0 for free format.
const KBPS_1_1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
const KBPS_1_2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const KBPS_1_3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_2_1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
const KBPS_2_X = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** The frame header at `at`, if there is one; free format, which states no length, counts as none. */
export function mpegFrame(bytes: Uint8Array, at: number): MpegFrame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined
  const second = bytes[at + 1]!
  const third = bytes[at + 2]!
  const fourth = bytes[at + 3]!
  if ((second & 0xe0) !== 0xe0) return undefined
  const version = (second >> 3) & 3
  const layerBits = (second >> 1) & 3
  const bitrateIndex = third >> 4
  const rateIndex = (third >> 2) & 3
  if (version === 1 || layerBits === 0 || rateIndex === 3) return undefined
  // Emphasis 2 is reserved, which helps to distinguish headers from noise.
  if ((fourth & 3) === 2 || bitrateIndex === 0 || bitrateIndex === 15) return undefined
  const layer = (4 - layerBits) as 1 | 2 | 3
  const sampleRate = RATES[rateIndex]! >> (version === 3 ? 0 : version === 2 ? 1 : 2)
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

/** Whether two headers can belong to one stream, in which version, layer and sample rate never change. */
export function sameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.version === b.version && a.layer === b.layer && a.sampleRate === b.sampleRate
}

/**
 * Cuts a stream of bytes, in chunks of any length, into whole frames, and leaves out everything between
 * them: tags, padding, damage, a stray frame of another rate.
 *
 * A frame counts when it follows the last one directly, or when a second one follows it.
 */
export class MpegFrameCutter {
  #rest: Uint8Array = new Uint8Array(0)
  #synced = false
  /** Bytes of a tag still to skip. */
  #skip = 0
  /** The first frame, which the others must match. */
  first: MpegFrame | undefined
  frames = 0
  /** Bytes of the last frame if the stream ends within it. */
  leftOver = 0

  /** The whole frames that `chunk` completes, joined in a copy. */
  push(chunk: Uint8Array): Uint8Array {
    const skipped = Math.min(this.#skip, chunk.length)
    this.#skip -= skipped
    return this.#skip > 0 ? new Uint8Array(0) : this.#cut(chunk.subarray(skipped))
  }

  /** The last frame, which no other follows. */
  end(): Uint8Array {
    return this.#cut(new Uint8Array(0), true)
  }

  #cut(chunk: Uint8Array, last = false): Uint8Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const out = new Uint8Array(bytes.length)
    let filled = 0
    let at = 0
    while (at + 4 <= bytes.length) {
      const frame = mpegFrame(bytes, at)
      if (!frame || (this.first && !sameStream(this.first, frame))) {
        this.#synced = false
        const tag = id3Length(bytes, at)
        if (tag === undefined) at++
        else if (tag > 0) at += tag
        else break
        continue
      }
      const next = at + frame.bytes
      if (!this.#synced && !last && next + 4 > bytes.length) break
      if (next > bytes.length) {
        if (last && this.#synced) this.leftOver = bytes.length - at
        break
      }
      if (!this.#synced) {
        const following = mpegFrame(bytes, next)
        const alone = last && next + 4 > bytes.length && this.first !== undefined
        if (!(following && sameStream(frame, following)) && !alone) {
          at++
          continue
        }
      }
      this.#synced = true
      this.first ??= frame
      this.frames++
      out.set(bytes.subarray(at, next), filled)
      filled += frame.bytes
      at = next
    }
    this.#skip = Math.max(0, at - bytes.length)
    this.#rest = bytes.slice(Math.min(at, bytes.length))
    return out.subarray(0, filled)
  }
}

/** Length of the ID3v2 tag at `at`: undefined when there is none, 0 when `bytes` ends within its header. */
export function id3Length(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33) return undefined
  if (at + 10 > bytes.length) return 0
  const size = [6, 7, 8, 9].map((i) => bytes[at + i]!)
  // Sizes have 7 bits in a byte; versions are never 0xff (ID3v2.4 structure, 3.1).
  if (size.some((byte) => byte > 127) || bytes[at + 3] === 0xff || bytes[at + 4] === 0xff) {
    return undefined
  }
  const body = size.reduce((sum, byte) => sum * 128 + byte, 0)
  const footer = bytes[at + 5]! & 0x10 ? 10 : 0
  return 10 + body + footer
}

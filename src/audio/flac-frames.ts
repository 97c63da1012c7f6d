import type { StreamInfo } from './libflac.ts'

/** A frame header of FLAC (RFC 9639, 9.1) with a valid checksum. */
interface FlacHeader {
  /** First sample of the frame. */
  sample: number
  /** Samples per channel. */
  samples: number
}

/**
 * Cuts the frames out of a native FLAC stream, given in chunks of any length.
 *
 * A frame ends where the header of the frame due next begins (sync code, valid CRC-8 and the number
 * of the sample that follows), so its own bytes need no second pass for their CRC-16. When none
 * comes within the largest frame's size, or two headers behind it follow each other, the stream is
 * damaged there, and goes on at the next header.
 */
export class FlacFrameCutter {
  readonly #info: StreamInfo
  readonly #longest: number
  #bytes: Uint8Array = new Uint8Array(0)
  /** Header of the frame that the bytes begin with. */
  #current: FlacHeader | undefined
  /** A header behind it that is not the one due next, and where it is: the next, if one is lost. */
  #later: { header: FlacHeader; at: number } | undefined
  /** Where to look on for the next header. */
  #scanned = 0
  /** Samples per channel in the frames cut so far. */
  samples = 0
  /** Whether something between the first frame and the last was none. */
  lost = false

  constructor(info: StreamInfo) {
    this.#info = info
    const raw = 64 + (info.maxBlock || 65_535) * info.channels * Math.ceil((info.bits + 1) / 8)
    this.#longest = Math.max(65_536, info.maxFrame, info.maxFrame ? 0 : raw)
  }

  /** The frames that `chunk` completes. */
  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.#bytes.length ? Buffer.concat([this.#bytes, chunk]) : chunk
    const frames: Uint8Array[] = []
    let start = 0
    let at = this.#scanned
    // A header has at most 16 bytes.
    for (; at + 16 <= bytes.length; at++) {
      if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8) {
        if (at - start <= this.#longest) continue
        // No frame is as long as this: wait for any later header.
        if (this.#current) this.lost = true
        this.#current = undefined
        this.#later = undefined
        start = at
        continue
      }
      const header = this.#header(bytes, at)
      if (!header) continue
      let current = this.#current
      if (current && !follows(current, header)) {
        if (header.sample <= current.sample) continue
        const later = this.#later
        if (!later || !follows(later.header, header)) {
          this.#later = { header, at }
          continue
        }
        this.lost = true
        current = later.header
        start = later.at
      }
      this.#later = undefined
      if (current) {
        frames.push(bytes.slice(start, at))
        this.samples += current.samples
      } else if (header.sample < this.#due) continue
      this.#current = header
      this.#due = header.sample
      start = at
    }
    this.#bytes = bytes.slice(start)
    this.#scanned = at - start
    if (this.#later) this.#later.at -= start
    return frames
  }

  #due = 0

  /** The last frame; `whole` tells whether it is as long as its header says (by its CRC-16). */
  end(): { frame: Uint8Array | undefined; whole: boolean } {
    const current = this.#current
    if (!current) return { frame: undefined, whole: true }
    // A tag behind the last frame (ID3v1) would spoil the checksum.
    const bytes = this.#bytes
    const ends = [bytes.length, bytes.length - 128]
    const end = ends.find((length) => length > 8 && crc16(bytes.subarray(0, length)) === 0)
    if (end === undefined) return { frame: undefined, whole: false }
    this.samples += current.samples
    return { frame: bytes.subarray(0, end), whole: true }
  }

  #header(bytes: Uint8Array, at: number): FlacHeader | undefined {
    const third = bytes[at + 2]!
    const sizeCode = third >> 4
    const rateCode = third & 15
    if (sizeCode === 0 || rateCode === 15) return undefined
    if (bytes[at + 3]! >> 4 > 10 || bytes[at + 3]! & 1) return undefined
    const number = codedNumber(bytes, at + 4)
    if (!number) return undefined
    let end = number.end
    let samples = fixedSize(sizeCode)
    if (sizeCode === 6) samples = bytes[end++]! + 1
    else if (sizeCode === 7) {
      samples = ((bytes[end]! << 8) | bytes[end + 1]!) + 1
      end += 2
    }
    end += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
    if (end >= bytes.length || crc8(bytes, at, end) !== bytes[end]) return undefined
    // Streams of one block size number their frames, others their samples.
    const variable = (bytes[at + 1]! & 1) === 1
    const blockSize = this.#info.maxBlock || samples
    return { sample: variable ? number.value : number.value * blockSize, samples }
  }
}

function follows(first: FlacHeader, second: FlacHeader): boolean {
  return second.sample === first.sample + first.samples
}

function fixedSize(code: number): number {
  if (code === 1) return 192
  return code <= 5 ? 576 << (code - 2) : 256 << (code - 8)
}

/** A number in the extended UTF-8 of RFC 9639, 9.1.5. */
function codedNumber(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  const first = bytes[at]!
  if (first < 128) return { value: first, end: at + 1 }
  const more = Math.clz32(~(first << 24)) - 1
  if (more < 1 || more > 6) return undefined
  let value = first & (0x3f >> more)
  for (let i = 1; i <= more; i++) {
    const byte = bytes[at + i]!
    if ((byte & 0xc0) !== 0x80) return undefined
    value = value * 64 + (byte & 63)
  }
  return { value, end: at + 1 + more }
}

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x80 ? 0x107 : 0)
  return value
})

function crc8(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0
  for (let i = from; i < to; i++) crc = CRC8[crc ^ bytes[i]!]!
  return crc
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x8000 ? 0x18005 : 0)
  return value
})

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >> 8) ^ byte]!
  return crc
}

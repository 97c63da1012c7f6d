import { latin1, viewOf } from './bytes.ts'

/** The STREAMINFO block of a FLAC file (RFC 9639, 8.2). */
export interface StreamInfo {
  /** Samples of a frame in a stream of equal frames; 0 where they differ. */
  blockSize: number
  /** Bytes of the largest frame, 0 when unknown. */
  maxFrame: number
  sampleRate: number
  channels: number
  /** Bits per sample, 4…32. */
  bits: number
  /** Samples per channel, 0 when unknown. */
  frames: number
}

/** The header of a FLAC frame (RFC 9639, 9.1). */
export interface FrameHeader {
  /** The number of the frame, or of its first sample. */
  number: number
  /** Whether the number is that of the frame; encoders before 2007 mark none. */
  countsFrames: boolean
  samples: number
  sampleRate: number
  channels: number
  /** 8 left and side, 9 side and right, 10 mid and side; below 8 independently. */
  assignment: number
  bits: number
  end: number
}

export const MAX_HEADER_BYTES = 16

/** From the first 42 bytes of a FLAC file. */
export function readStreamInfo(bytes: Uint8Array): StreamInfo | undefined {
  if (bytes.length < 42 || latin1(bytes, 0, 4) !== 'fLaC') return undefined
  if ((bytes[4]! & 127) !== 0) return undefined
  const fields = viewOf(bytes.subarray(8))
  const packed = fields.getUint32(10)
  const blockSize = fields.getUint16(0)
  return {
    blockSize: fields.getUint16(2) === blockSize ? blockSize : 0,
    maxFrame: fields.getUint32(6) >>> 8,
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    frames: (packed & 15) * 2 ** 32 + fields.getUint32(14),
  }
}

/** Bits per sample by the header's code; 0 stands for those of STREAMINFO, −1 is reserved. */
const SAMPLE_BITS = [0, 8, 12, -1, 16, 20, 24, 32]
/** Sample rates by the header's codes below 12; 0 stands for that of STREAMINFO. */
const FLAC_RATES = [
  0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
]

/** Undefined when there is no header with a matching checksum. */
export function readFrameHeader(
  bytes: Uint8Array,
  offset: number,
  info: StreamInfo,
): FrameHeader | undefined {
  if (bytes[offset] !== 0xff || (bytes[offset + 1]! & 0xfe) !== 0xf8) return undefined
  const sizeCode = bytes[offset + 2]! >> 4
  const rateCode = bytes[offset + 2]! & 15
  const assignment = bytes[offset + 3]! >> 4
  const bits = SAMPLE_BITS[(bytes[offset + 3]! >> 1) & 7]!
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || bits < 0) return undefined
  if (bytes[offset + 3]! & 1) return undefined
  const numberLength = codedNumberLength(bytes[offset + 4]!)
  let end = offset + 4 + numberLength
  const word = (bytes[end]! << 8) | bytes[end + 1]!
  const samples = sizeCode === 6 ? bytes[end]! + 1 : sizeCode === 7 ? word + 1 : fixedSize(sizeCode)
  end += sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  let sampleRate = FLAC_RATES[rateCode] || info.sampleRate
  if (rateCode >= 12) {
    const value = rateCode === 12 ? bytes[end]! : (bytes[end]! << 8) | bytes[end + 1]!
    sampleRate = value * (rateCode === 12 ? 1000 : rateCode === 13 ? 1 : 10)
    end += rateCode === 12 ? 1 : 2
  }
  if (crc8(bytes, offset, end) !== bytes[end]) return undefined
  return {
    number: readCodedNumber(bytes, offset + 4, numberLength),
    countsFrames: (bytes[offset + 1]! & 1) === 0 && info.blockSize > 0,
    samples,
    sampleRate,
    channels: assignment < 8 ? assignment + 1 : 2,
    assignment,
    bits: bits || info.bits,
    end: end + 1,
  }
}

function fixedSize(code: number): number {
  if (code === 1) return 192
  return code <= 5 ? 576 << (code - 2) : 256 << (code - 8)
}

/** Bytes of a number in the extended UTF-8 of RFC 9639, 9.1.5, by its first byte. */
function codedNumberLength(first: number): number {
  return first < 0xc0 ? 1 : Math.min(7, Math.clz32(~(first << 24)))
}

/** A number in that form: the first byte has the highest bits, each other byte six more. */
function readCodedNumber(bytes: Uint8Array, offset: number, length: number): number {
  let value = length === 1 ? bytes[offset]! : bytes[offset]! & (0x7f >> length)
  for (let i = 1; i < length; i++) value = value * 64 + (bytes[offset + i]! & 0x3f)
  return value
}

const CRC8_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x80 ? 0x107 : 0)
  return value
})

function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0
  for (let i = start; i < end; i++) crc = CRC8_TABLE[crc ^ bytes[i]!]!
  return crc
}

/** What a FLAC file is made of (RFC 9639). */
export interface FlacOptions {
  sampleRate: number
  channels?: number
  /** Samples per channel in a block. */
  blockSize?: number
  /** What STREAMINFO claims as its number of samples; default the truth. */
  claimed?: number
  /** Metadata blocks between STREAMINFO and the sound: type and content. */
  metadata?: readonly (readonly [number, Uint8Array])[]
}

/** A FLAC file, and where each of its frames ends with how many samples until there. */
export interface FlacFile {
  bytes: Buffer
  units: { end: number; frames: number }[]
}

const BITS = 16

/** Samples as a FLAC file of 16 bits, all channels alike, without compression. */
export function flacOf(samples: Float32Array, options: FlacOptions): FlacFile {
  const { channels = 1, blockSize = 1024 } = options
  const frames: Buffer[] = []
  for (let from = 0; from < samples.length; from += blockSize) {
    const block = samples.subarray(from, from + blockSize)
    const body = Buffer.alloc(1 + 2 * block.length)
    body[0] = 1 << 1 // verbatim
    for (const [i, value] of block.entries())
      body.writeInt16BE(Math.round(value * 32_767), 1 + 2 * i)
    frames.push(frame(frames.length, block.length, Array(channels).fill(body)))
  }
  return assemble(frames, samples.length, { ...options, blockSize })
}

/** Silence as FLAC: a few bytes for each block of 65,535 samples, however many channels. */
export function silentFlac(blocks: number, options: FlacOptions): FlacFile {
  const { channels = 1 } = options
  const blockSize = 65_535
  const body = Buffer.alloc(3) // constant, of value 0
  const frames = Array.from({ length: blocks }, (_, i) =>
    frame(i, blockSize, Array(channels).fill(body)),
  )
  return assemble(frames, blocks * blockSize, { ...options, blockSize })
}

function assemble(frames: Buffer[], samples: number, options: FlacOptions): FlacFile {
  const { sampleRate, channels = 1, blockSize = 1024, claimed = samples, metadata = [] } = options
  const info = Buffer.alloc(34)
  info.writeUInt16BE(blockSize, 0)
  info.writeUInt16BE(blockSize, 2)
  const packed =
    (BigInt(sampleRate) << 44n) |
    (BigInt(channels - 1) << 41n) |
    (BigInt(BITS - 1) << 36n) |
    BigInt(claimed)
  info.writeBigUInt64BE(packed, 10)
  const blocks = [[0, info] as const, ...metadata]
  const head = Buffer.concat([
    Buffer.from('fLaC'),
    ...blocks.flatMap(([type, body], i) => {
      const last = i === blocks.length - 1 ? 0x80 : 0
      return [Buffer.from([last | type, body.length >> 16, body.length >> 8, body.length]), body]
    }),
  ])
  let end = head.length
  let total = 0
  const units = frames.map((bytes) => {
    end += bytes.length
    total = Math.min(samples, total + blockSize)
    return { end, frames: total }
  })
  return { bytes: Buffer.concat([head, ...frames]), units }
}

function frame(number: number, samples: number, subframes: readonly Buffer[]): Buffer {
  const head = Buffer.from([
    ...[0xff, 0xf8, 0x70, (subframes.length - 1) << 4],
    ...codedNumber(number),
    ...[(samples - 1) >> 8, (samples - 1) & 255],
  ])
  const bytes = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), ...subframes])
  const check = crc(bytes, 16, 0x8005)
  return Buffer.concat([bytes, Buffer.from([check >> 8, check & 255])])
}

/** The extended UTF-8 of RFC 9639, 9.1.5. */
export function codedNumber(value: number): number[] {
  if (value < 0x80) return [value]
  const more = [0x800, 0x10000, 0x200000, 0x4000000].findIndex((limit) => value < limit) + 1
  const rest = Array.from({ length: more }, (_, i) => 0x80 | ((value >> (6 * (more - 1 - i))) & 63))
  return [((0xff80 >> more) & 0xff) | (value >> (6 * more)), ...rest]
}

/** A cyclic redundancy check, highest bit first, from 0. */
export function crc(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1)
  const mask = 2 ** width - 1
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (width - 8)
    for (let bit = 0; bit < 8; bit++)
      value = (value & top ? (value << 1) ^ polynomial : value << 1) & mask
  }
  return value
}

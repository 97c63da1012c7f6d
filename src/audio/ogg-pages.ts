import { type ByteSource, latin1, pieces, viewOf } from './bytes.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** One page of an Ogg file (RFC 3533), its checksum verified. */
export interface OggPage {
  serial: number
  sequence: number
  begins: boolean
  ends: boolean
  /** Its first packet began on the previous page. */
  continued: boolean
  /** At the end of the last complete packet; undefined (−1 in the file) when none ends here. */
  granule: number | undefined
  /** Lengths of the pieces of packets; one below 255 ends a packet. */
  lacing: Uint8Array
  body: Uint8Array
}

/** The decoder of one logical stream of an Ogg file. */
export interface OggDecoder {
  readonly codec: string
  readonly decoder: string
  readonly sampleRate: number
  readonly channels: number
  /** Whether some of its packets gave no sound. */
  lost?: boolean
  /** The sound that a page completes. The first page is the one that the stream begins with. */
  page(page: OggPage): Promise<PcmBlock[]>
  free?(): void
}

const OGG_STEP_BYTES = 65_536
const MAX_PACKET_BYTES = 16_777_216

/** In order, without damaged pages and bytes between pages. */
export async function* readOggPages(source: ByteSource): AsyncGenerator<OggPage, void, void> {
  let bytes: Uint8Array = new Uint8Array(0)
  for await (const more of pieces(source, OGG_STEP_BYTES)) {
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more])
    let offset = 0
    for (;;) {
      offset = nextCapture(bytes, offset)
      const length = pageLength(bytes, offset)
      if (length === undefined || offset + length > bytes.length) break
      const page = bytes.subarray(offset, offset + length)
      if (page[4] === 0 && hasValidChecksum(page)) {
        yield parsePage(page)
        offset += length
      } else offset += 4
    }
    bytes = bytes.subarray(offset)
  }
}

/** Joins packets from the pages of one logical stream. */
export class OggPackets {
  #parts: Uint8Array[] = []
  #bytes = 0

  /** Packets of more than {@link MAX_PACKET_BYTES} bytes are left out. */
  completePackets(page: OggPage): Uint8Array[] {
    if (!page.continued) this.#clearParts()
    const packets: Uint8Array[] = []
    // A packet whose start is lost is useless.
    let isLost = page.continued && this.#parts.length === 0
    let start = 0
    let end = 0
    for (const [i, lace] of page.lacing.entries()) {
      end += lace
      const closes = lace < 255
      if (!closes && i < page.lacing.length - 1) continue
      if (!isLost) {
        this.#parts.push(page.body.slice(start, end))
        this.#bytes += end - start
        if (closes && this.#bytes <= MAX_PACKET_BYTES) {
          packets.push(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts))
        }
      }
      if (this.#bytes > MAX_PACKET_BYTES) this.#parts = [new Uint8Array(0)]
      if (closes) {
        isLost = false
        this.#clearParts()
      }
      start = end
    }
    return packets
  }

  #clearParts(): void {
    this.#parts = []
    this.#bytes = 0
  }
}

function nextCapture(bytes: Uint8Array, start: number): number {
  const { buffer, byteOffset, byteLength } = bytes
  const offset = Buffer.from(buffer, byteOffset, byteLength).indexOf('OggS', start)
  return offset < 0 ? Math.max(start, bytes.length - 3) : offset
}

function pageLength(bytes: Uint8Array, offset: number): number | undefined {
  if (offset + 27 > bytes.length) return undefined
  const segments = bytes[offset + 26]!
  let length = 27 + segments
  if (offset + length > bytes.length) return undefined
  for (let i = 0; i < segments; i++) length += bytes[offset + 27 + i]!
  return length
}

function parsePage(page: Uint8Array): OggPage {
  const fields = viewOf(page)
  const granule = fields.getBigInt64(6, true)
  const flags = page[5]!
  const segments = page[26]!
  return {
    serial: fields.getUint32(14, true),
    sequence: fields.getUint32(18, true),
    continued: (flags & 1) !== 0,
    begins: (flags & 2) !== 0,
    ends: (flags & 4) !== 0,
    granule: granule < 0n ? undefined : Number(granule),
    lacing: page.subarray(27, 27 + segments),
    body: page.subarray(27 + segments),
  }
}

// Ogg's CRC-32: polynomial 0x04c11db7, highest bit first, no inversion.
const CRC32_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

function hasValidChecksum(page: Uint8Array): boolean {
  return checksumOf(page) === viewOf(page).getInt32(22, true)
}

/** As a signed number. */
export function checksumOf(page: Uint8Array): number {
  let crc = 0
  for (let i = 0; i < page.length; i++) {
    // The checksum's own four bytes count as 0.
    const byte = i >= 22 && i < 26 ? 0 : page[i]!
    crc = (crc << 8) ^ CRC32_TABLE[((crc >>> 24) ^ byte) & 255]!
  }
  return crc
}

const CODEC_HEADS = {
  vorbis: '\x01vorbis',
  opus: 'OpusHead',
  flac: '\x7fFLAC',
  speex: 'Speex   ',
  theora: '\x80theora',
  skeleton: 'fishead\0',
}

type OggCodec = keyof typeof CODEC_HEADS

/** The codec of a stream by its first packet; undefined for one that audile does not know. */
export function oggCodec(packet: Uint8Array): OggCodec | undefined {
  for (const [codec, head] of Object.entries(CODEC_HEADS)) {
    if (latin1(packet, 0, head.length) === head) return codec as OggCodec
  }
  return undefined
}

/** FLAC may have a handful in front of the comments. */
const MAX_HEADER_PACKETS = 100

/** The text before the comments in their packet; Speex has none. */
const COMMENT_PREFIXES: Partial<Record<OggCodec, string>> = {
  vorbis: '\x03vorbis',
  opus: 'OpusTags',
  speex: '',
}
/** Type of a FLAC metadata block that holds comments. */
const OGG_COMMENT_BLOCK = 4

/** The comment that Vorbis, Opus, FLAC and Speex share; undefined when there is none. */
export async function readOggComment(source: ByteSource): Promise<Uint8Array | undefined> {
  const packets = new OggPackets()
  let stream: { serial: number; codec: OggCodec } | undefined
  let count = 0
  for await (const page of readOggPages(source)) {
    const { begins, serial } = page
    const codec = begins && !stream ? oggCodec(page.body) : undefined
    if (codec === 'flac' || (codec && COMMENT_PREFIXES[codec] !== undefined))
      stream = { serial, codec }
    // The first pages of all streams come before any other page.
    if (!stream && !begins) return undefined
    if (stream?.serial !== serial) continue
    for (const packet of packets.completePackets(page)) {
      const comment = count++ === 0 ? undefined : commentIn(packet, stream.codec)
      if (comment) return comment
      if (count > MAX_HEADER_PACKETS) return undefined
    }
  }
  return undefined
}

function commentIn(packet: Uint8Array, codec: OggCodec): Uint8Array | undefined {
  if (codec === 'flac') {
    return ((packet[0] ?? 0) & 0x7f) === OGG_COMMENT_BLOCK ? packet.subarray(4) : undefined
  }
  const prefix = COMMENT_PREFIXES[codec] ?? ''
  return latin1(packet, 0, prefix.length) === prefix ? packet.subarray(prefix.length) : undefined
}

/** A FLAC file without sound, which any reader of tags can read. */
export function wrapInFlac(comment: Uint8Array): Uint8Array {
  const info = new Uint8Array(4 + 4 + 34)
  info.set(Buffer.from('fLaC'))
  info[7] = 34
  const last = 0x80 | OGG_COMMENT_BLOCK
  const { length } = comment
  return Buffer.concat([info, Uint8Array.of(last, length >> 16, length >> 8, length), comment])
}

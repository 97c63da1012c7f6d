import { type ByteSource, latin1, pieces, viewOf } from './bytes.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** One page of an Ogg file (RFC 3533), its checksum verified. */
export interface OggPage {
  serial: number
  /** Number of the page in its logical stream. */
  sequence: number
  /** First page of a logical stream. */
  begins: boolean
  /** Last page of a logical stream. */
  ends: boolean
  /** Its first packet began on the previous page. */
  continued: boolean
  /** Position at the end of its last complete packet; undefined (−1 in the file) when none ends here. */
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

const STEP_BYTES = 65_536
const MOST_PACKET = 16_777_216

/** The pages of an Ogg file in order, without damaged pages and bytes between pages. */
export async function* oggPages(source: ByteSource): AsyncGenerator<OggPage, void, void> {
  let bytes: Uint8Array = new Uint8Array(0)
  for await (const more of pieces(source, STEP_BYTES)) {
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more])
    let at = 0
    for (;;) {
      at = nextCapture(bytes, at)
      const length = pageLength(bytes, at)
      if (length === undefined || at + length > bytes.length) break
      const page = bytes.subarray(at, at + length)
      if (page[4] === 0 && checksumHolds(page)) {
        yield parse(page)
        at += length
      } else at += 4
    }
    bytes = bytes.subarray(at)
  }
}

/** Joins packets from the pages of one logical stream. */
export class OggPackets {
  #parts: Uint8Array[] = []
  #bytes = 0

  /** The packets that this page completes, except those of more than {@link MOST_PACKET} bytes. */
  push(page: OggPage): Uint8Array[] {
    if (!page.continued) this.#clear()
    const packets: Uint8Array[] = []
    // A packet whose start is lost is useless.
    let lost = page.continued && this.#parts.length === 0
    let start = 0
    let end = 0
    for (const [i, lace] of page.lacing.entries()) {
      end += lace
      const closes = lace < 255
      if (!closes && i < page.lacing.length - 1) continue
      if (!lost) {
        this.#parts.push(page.body.slice(start, end))
        this.#bytes += end - start
        if (closes && this.#bytes <= MOST_PACKET) {
          packets.push(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts))
        }
      }
      if (this.#bytes > MOST_PACKET) this.#parts = [new Uint8Array(0)]
      if (closes) {
        lost = false
        this.#clear()
      }
      start = end
    }
    return packets
  }

  #clear(): void {
    this.#parts = []
    this.#bytes = 0
  }
}

/** Where the next page may begin, from a position on. */
function nextCapture(bytes: Uint8Array, from: number): number {
  const { buffer, byteOffset, byteLength } = bytes
  const at = Buffer.from(buffer, byteOffset, byteLength).indexOf('OggS', from)
  return at < 0 ? Math.max(from, bytes.length - 3) : at
}

function pageLength(bytes: Uint8Array, at: number): number | undefined {
  if (at + 27 > bytes.length) return undefined
  const segments = bytes[at + 26]!
  let length = 27 + segments
  if (at + length > bytes.length) return undefined
  for (let i = 0; i < segments; i++) length += bytes[at + 27 + i]!
  return length
}

function parse(page: Uint8Array): OggPage {
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
const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

function checksumHolds(page: Uint8Array): boolean {
  return checksumOf(page) === viewOf(page).getInt32(22, true)
}

/** The checksum of a page, as a signed number; that in the page counts as 0. */
export function checksumOf(page: Uint8Array): number {
  let crc = 0
  for (let i = 0; i < page.length; i++) {
    // The checksum's own four bytes count as 0.
    const byte = i >= 22 && i < 26 ? 0 : page[i]!
    crc = (crc << 8) ^ CRC[((crc >>> 24) ^ byte) & 255]!
  }
  return crc
}

/** How the first packet of a stream begins, by codec. */
const HEADS = {
  vorbis: '\x01vorbis',
  opus: 'OpusHead',
  flac: '\x7fFLAC',
  speex: 'Speex   ',
  theora: '\x80theora',
  skeleton: 'fishead\0',
}

type OggCodec = keyof typeof HEADS

/** The codec of a stream by its first packet; undefined for one that audile does not know. */
export function oggCodec(packet: Uint8Array): OggCodec | undefined {
  for (const [codec, head] of Object.entries(HEADS)) {
    if (latin1(packet, 0, head.length) === head) return codec as OggCodec
  }
  return undefined
}

/** Header packets of a stream that are searched for comments; FLAC may have a handful in front. */
const MOST_PACKETS = 100

/** The text before the comments in their packet; Speex has none. */
const PREFIXES: Partial<Record<OggCodec, string>> = {
  vorbis: '\x03vorbis',
  opus: 'OpusTags',
  speex: '',
}
/** Type of a FLAC metadata block that holds comments. */
const VORBIS_COMMENT = 4

/**
 * The Vorbis comment of an Ogg file (vendor, list of `NAME=value`), which Vorbis, Opus, FLAC and Speex
 * share; undefined when there is none.
 */
export async function oggComment(source: ByteSource): Promise<Uint8Array | undefined> {
  const packets = new OggPackets()
  let stream: { serial: number; codec: OggCodec } | undefined
  let count = 0
  for await (const page of oggPages(source)) {
    const { begins, serial } = page
    const codec = begins && !stream ? oggCodec(page.body) : undefined
    if (codec === 'flac' || (codec && PREFIXES[codec] !== undefined)) stream = { serial, codec }
    // The first pages of all streams come before any other page.
    if (!stream && !begins) return undefined
    if (stream?.serial !== serial) continue
    for (const packet of packets.push(page)) {
      const comment = count++ === 0 ? undefined : commentIn(packet, stream.codec)
      if (comment) return comment
      if (count > MOST_PACKETS) return undefined
    }
  }
  return undefined
}

function commentIn(packet: Uint8Array, codec: OggCodec): Uint8Array | undefined {
  if (codec === 'flac') {
    return ((packet[0] ?? 0) & 0x7f) === VORBIS_COMMENT ? packet.subarray(4) : undefined
  }
  const prefix = PREFIXES[codec] ?? ''
  return latin1(packet, 0, prefix.length) === prefix ? packet.subarray(prefix.length) : undefined
}

/** A FLAC file without sound around a Vorbis comment, which any reader of tags can read. */
export function flacAround(comment: Uint8Array): Uint8Array {
  const info = new Uint8Array(4 + 4 + 34)
  info.set(Buffer.from('fLaC'))
  info[7] = 34
  const last = 0x80 | VORBIS_COMMENT
  const { length } = comment
  return Buffer.concat([info, Uint8Array.of(last, length >> 16, length >> 8, length), comment])
}

import { type ByteSource, pieces } from './byte-source.ts'
import { viewOf } from './bytes.ts'
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
  /** Its first packet goes on from the page before. */
  continued: boolean
  /** Position at the end of its last complete packet; undefined (−1) when none ends here. */
  granule: number | undefined
  /** The page as it stands in the file. */
  bytes: Uint8Array
  /** Lengths of the pieces of packets; each below 255 ends a packet. */
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
  readonly lost?: boolean
  /** The sound that a page completes. The first page is the one that the stream begins with. */
  page(page: OggPage): Promise<PcmBlock[]>
  free?(): void
}

const STEP_BYTES = 16_384

/** The pages of an Ogg file in order; damaged ones and what lies between pages are passed over. */
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

/** Puts packets together from the pages of one logical stream. */
export class OggPackets {
  #parts: Uint8Array[] = []
  #bytes = 0

  /** The packets that this page completes. Packets of more than `limit` bytes are dropped. */
  push(page: OggPage, limit = 16_777_216): Uint8Array[] {
    if (!page.continued) this.#clear()
    const packets: Uint8Array[] = []
    // A continued packet whose start is lost is of no use.
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
        if (closes && this.#bytes <= limit) {
          packets.push(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts))
        }
      }
      if (this.#bytes > limit) this.#parts = [new Uint8Array(0)]
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
    bytes: page,
    lacing: page.subarray(27, 27 + segments),
    body: page.subarray(27 + segments),
  }
}

// CRC-32 as Ogg has it: polynomial 0x04c11db7, highest bit first, no inversion.
const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

function checksumHolds(page: Uint8Array): boolean {
  const stored = page[22]! | (page[23]! << 8) | (page[24]! << 16) | (page[25]! << 24)
  return checksum(page) === stored
}

function checksum(page: Uint8Array): number {
  let crc = 0
  for (let i = 0; i < page.length; i++) {
    // The checksum's own four bytes count as 0.
    const byte = i >= 22 && i < 26 ? 0 : page[i]!
    crc = (crc << 8) ^ CRC[((crc >>> 24) ^ byte) & 255]!
  }
  return crc
}

/** The bytes of a page of headers, whose granule position is 0. */
export function writePage(
  page: Pick<OggPage, 'serial' | 'sequence' | 'continued' | 'lacing' | 'body'>,
): Uint8Array {
  const { lacing, body } = page
  const bytes = new Uint8Array(27 + lacing.length + body.length)
  const fields = new DataView(bytes.buffer)
  bytes.set([0x4f, 0x67, 0x67, 0x53, 0, page.continued ? 1 : 0])
  fields.setUint32(14, page.serial, true)
  fields.setUint32(18, page.sequence, true)
  bytes[26] = lacing.length
  bytes.set(lacing, 27)
  bytes.set(body, 27 + lacing.length)
  fields.setInt32(22, checksum(bytes), true)
  return bytes
}

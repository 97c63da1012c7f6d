import { type ByteSource, latin1, viewOf } from '../audio/bytes.ts'
import { checksumOf, oggCodec } from '../audio/ogg-pages.ts'
import { bigEndianBytes, joinBytes, littleEndianBytes, type Splice } from './byte-edit.ts'
import { CommentBlock } from './comment-block.ts'
import type { EditableTags } from './editable-tags.ts'
import { FLAC_BLOCK } from './flac-edit.ts'
import { refuseEdit } from './tag-block.ts'

/** RFC 3533. */
export interface RawPage {
  start: number
  end: number
  bytes: Uint8Array
  serial: number
  sequence: number
  flags: number
}

const PAGE_FLAGS = { continued: 1, begins: 2, ends: 4 } as const
const PAGE_HEAD_BYTES = 27
const MAX_PAGE_BYTES = PAGE_HEAD_BYTES + 255 + 255 * 255

/** `undefined` where none with a valid checksum is. */
export async function pageAt(file: ByteSource, start: number): Promise<RawPage | undefined> {
  const bytes = await file.read(start, MAX_PAGE_BYTES)
  if (bytes.length < PAGE_HEAD_BYTES || latin1(bytes, 0, 4) !== 'OggS' || bytes[4] !== 0)
    return undefined
  const segments = bytes[26] as number
  const bodyStart = PAGE_HEAD_BYTES + segments
  const length = bytes
    .subarray(PAGE_HEAD_BYTES, bodyStart)
    .reduce((sum, lace) => sum + lace, bodyStart)
  if (length > bytes.length) return undefined
  const page = bytes.subarray(0, length)
  const view = viewOf(page)
  if (checksumOf(page) !== view.getInt32(22, true)) return undefined
  return {
    start,
    end: start + length,
    bytes: page,
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    flags: page[5] as number,
  }
}

interface HeaderPacket {
  bytes: Uint8Array
  beginsPage: boolean
  /** Counted among the pages of the headers. */
  firstPage: number
  lastPage: number
}

interface OggHeaders {
  isOpus: boolean
  /** Those behind the first page. */
  pages: RawPage[]
  packets: HeaderPacket[]
  /** Where the comment lies in its packet. */
  comment: { packet: HeaderPacket; start: number }
}

/** The packet of FLAC is a metadata block. */
const COMMENT_HEADS = { vorbis: '\x03vorbis', opus: 'OpusTags' } as const

/** Of the first stream of Vorbis, Opus or FLAC. */
export async function openOgg(
  file: ByteSource,
  fileStart: number,
  maxBytes: number,
): Promise<EditableTags> {
  const headers = await headersOf(file, fileStart, maxBytes)
  const { packet, start } = headers.comment
  const block = new CommentBlock(packet.bytes.subarray(start))
  return {
    blocks: [block],
    hasWholeBeats: false,
    isOpus: headers.isOpus,
    edit: (texts) => planOgg(file, headers, block.withTexts(texts)),
  }
}

async function headersOf(
  file: ByteSource,
  fileStart: number,
  maxBytes: number,
): Promise<OggHeaders> {
  let stream: { serial: number; codec: 'vorbis' | 'opus' | 'flac'; count: number } | undefined
  const pages: RawPage[] = []
  const packets: HeaderPacket[] = []
  let openPacket: { parts: Uint8Array[]; beginsPage: boolean; firstPage: number } | undefined
  let headerBytes = 0
  for (let position = fileStart; ; ) {
    const page = await pageAt(file, position)
    if (!page) refuseEdit('Ogg headers', 'are damaged')
    position = page.end
    const body = page.bytes.subarray(PAGE_HEAD_BYTES + (page.bytes[26] as number))
    if (page.flags & PAGE_FLAGS.begins) {
      const codec = stream ? undefined : oggCodec(body)
      if (codec === 'vorbis' || codec === 'opus' || codec === 'flac') {
        stream = { serial: page.serial, codec, count: headerCount(codec, body) }
      }
      continue
    }
    if (!stream) refuseEdit('Ogg file', 'has no stream of Vorbis, Opus or FLAC')
    if (page.serial !== stream.serial) continue
    pages.push(page)
    headerBytes += page.bytes.length
    if (headerBytes > maxBytes)
      refuseEdit('Ogg headers', `have more than the ${maxBytes} bytes of limits.tagBytes`)
    for (const piece of packetPiecesOf(page)) {
      if (packets.length === stream.count) {
        refuseEdit('Ogg file', 'has its headers and its sound on one page')
      }
      if (
        piece.isFirst &&
        (openPacket !== undefined) !== ((page.flags & PAGE_FLAGS.continued) !== 0)
      ) {
        refuseEdit('Ogg headers', 'are damaged')
      }
      openPacket ??= { parts: [], beginsPage: piece.isFirst, firstPage: pages.length - 1 }
      openPacket.parts.push(piece.bytes)
      if (!piece.isComplete) continue
      packets.push({
        bytes: joinBytes(...openPacket.parts),
        beginsPage: openPacket.beginsPage,
        firstPage: openPacket.firstPage,
        lastPage: pages.length - 1,
      })
      openPacket = undefined
      const isLastBlock = stream.codec === 'flac' && ((packets.at(-1)?.bytes[0] ?? 0) & 0x80) !== 0
      if (isLastBlock) stream.count = packets.length
    }
    if (packets.length < stream.count) continue
    return {
      isOpus: stream.codec === 'opus',
      pages,
      packets,
      comment: commentOf(packets, stream.codec),
    }
  }
}

/** FLAC may state no count, but marks its last block. */
function headerCount(codec: 'vorbis' | 'opus' | 'flac', firstPacket: Uint8Array): number {
  if (codec === 'vorbis') return 2
  if (codec === 'opus') return 1
  const statedCount = firstPacket.length > 9 ? viewOf(firstPacket).getUint16(7) : 0
  return statedCount === 0 ? Number.POSITIVE_INFINITY : statedCount
}

function commentOf(packets: readonly HeaderPacket[], codec: 'vorbis' | 'opus' | 'flac') {
  for (const packet of packets) {
    const { bytes } = packet
    if (codec === 'flac') {
      if (((bytes[0] ?? 0) & 0x7f) === FLAC_BLOCK.comment) return { packet, start: 4 }
      continue
    }
    const head = COMMENT_HEADS[codec]
    if (latin1(bytes, 0, head.length) === head) return { packet, start: head.length }
  }
  return refuseEdit('Ogg headers', 'hold no Vorbis comment')
}

interface PacketPiece {
  bytes: Uint8Array
  isFirst: boolean
  isComplete: boolean
}

export function packetPiecesOf({ bytes }: RawPage): PacketPiece[] {
  const segments = bytes[26] as number
  const pieces: PacketPiece[] = []
  let start = PAGE_HEAD_BYTES + segments
  let end = start
  for (let i = 0; i < segments; i++) {
    const lace = bytes[PAGE_HEAD_BYTES + i] as number
    end += lace
    if (lace === 255 && i < segments - 1) continue
    pieces.push({
      bytes: bytes.subarray(start, end),
      isFirst: pieces.length === 0,
      isComplete: lace < 255,
    })
    start = end
  }
  return pieces
}

async function planOgg(
  file: ByteSource,
  headers: OggHeaders,
  comment: Uint8Array,
): Promise<Splice[]> {
  const { pages, packets } = headers
  const [firstPage, lastPage] = [pages[0] as RawPage, pages.at(-1) as RawPage]
  const contents = packets.map((packet) =>
    packet === headers.comment.packet
      ? { ...packet, bytes: withComment(packet.bytes, headers.comment.start, comment) }
      : packet,
  )
  const rebuiltPages = rebuildPages(contents, firstPage, lastPage)
  // Pages of other streams lie between them.
  const splices: Splice[] = pages.map(({ start, end }, i) => ({
    start,
    end,
    bytes: joinBytes(...rebuiltPages.filter(({ place }) => place === i).map(({ bytes }) => bytes)),
  }))
  const addedCount = rebuiltPages.length - pages.length
  if (addedCount !== 0) splices.push(...(await renumberPages(file, lastPage, addedCount)))
  return splices
}

/** A FLAC block states its length in front. */
function withComment(packet: Uint8Array, start: number, comment: Uint8Array): Uint8Array {
  if (start !== 4) return joinBytes(packet.subarray(0, start), comment)
  if (comment.length >= 2 ** 24)
    refuseEdit('Vorbis comment', 'would get longer than a FLAC block can be')
  return joinBytes(packet.subarray(0, 1), bigEndianBytes(comment.length, 3), comment)
}

const NO_PACKET_ENDS = new Uint8Array(8).fill(0xff)

interface RebuiltPage {
  bytes: Uint8Array
  /** Counted among the pages of the headers. */
  place: number
}

/** Pages break where they broke before. */
function rebuildPages(
  packets: readonly HeaderPacket[],
  firstPage: RawPage,
  lastPage: RawPage,
): RebuiltPage[] {
  const pages: RebuiltPage[] = []
  let place = 0
  let lastPlace = 0
  let lacing: number[] = []
  let parts: Uint8Array[] = []
  let isContinued = false
  const closePage = () => {
    if (lacing.length === 0) return
    const endsPacket = lacing.some((lace) => lace < 255)
    const head = Uint8Array.from(firstPage.bytes.subarray(0, PAGE_HEAD_BYTES))
    head[5] = isContinued ? PAGE_FLAGS.continued : 0
    head.set(endsPacket ? lastPage.bytes.subarray(6, 14) : NO_PACKET_ENDS, 6)
    head.set(littleEndianBytes(firstPage.sequence + pages.length, 4), 18)
    head[26] = lacing.length
    const bytes = withChecksum(joinBytes(head, Uint8Array.from(lacing), ...parts))
    pages.push({ bytes, place })
    if (!endsPacket) place = Math.min(place + 1, lastPlace)
    isContinued = lacing.at(-1) === 255
    lacing = []
    parts = []
  }
  for (const { bytes, beginsPage, firstPage, lastPage } of packets) {
    if (beginsPage) closePage()
    place = firstPage
    lastPlace = lastPage
    for (let start = 0; start <= bytes.length; start += 255) {
      if (lacing.length === 255) closePage()
      const segment = bytes.subarray(start, start + 255)
      lacing.push(segment.length)
      parts.push(segment)
    }
    // The end of each packet keeps its order among the pages of other streams.
    place = lastPage
  }
  closePage()
  return pages
}

function withChecksum(page: Uint8Array): Uint8Array {
  page.set(littleEndianBytes(checksumOf(page) >>> 0, 4), 22)
  return page
}

/** Behind the headers. */
async function renumberPages(
  file: ByteSource,
  lastHeaderPage: RawPage,
  addedCount: number,
): Promise<Splice[]> {
  const splices: Splice[] = []
  for (let position = lastHeaderPage.end; position < file.size; ) {
    const page = await pageAt(file, position)
    if (!page) refuseEdit('Ogg file', 'has damaged pages, which cannot be numbered anew')
    position = page.end
    if (page.serial !== lastHeaderPage.serial) continue
    // A later stream of a chain may have the same number.
    if (page.flags & PAGE_FLAGS.begins) break
    const sequence = littleEndianBytes((page.sequence + addedCount) >>> 0, 4)
    page.bytes.set(sequence, 18)
    const bytes = withChecksum(page.bytes).slice(18, 26)
    splices.push({ start: page.start + 18, end: page.start + 26, bytes })
  }
  return splices
}

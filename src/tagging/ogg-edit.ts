import { type ByteSource, latin1, viewOf } from '../audio/bytes.ts'
import { checksumOf, oggCodec } from '../audio/ogg-pages.ts'
import { bigEndianBytes, joinBytes, littleEndianBytes, type Splice } from './byte-edit.ts'
import { CommentBlock } from './comment-block.ts'
import type { EditableTags } from './editable-tags.ts'
import { FLAC_BLOCK } from './flac-edit.ts'
import { refuseEdit } from './tag-block.ts'

/** A page of an Ogg file (RFC 3533) with its place. */
export interface RawPage {
  start: number
  end: number
  bytes: Uint8Array
  serial: number
  sequence: number
  flags: number
}

const FLAG = { continued: 1, begins: 2, ends: 4 } as const
const HEAD_BYTES = 27
const MAX_PAGE_BYTES = HEAD_BYTES + 255 + 255 * 255

/** The page at a position; undefined where none with a valid checksum is. */
export async function pageAt(file: ByteSource, start: number): Promise<RawPage | undefined> {
  const bytes = await file.read(start, MAX_PAGE_BYTES)
  if (bytes.length < HEAD_BYTES || latin1(bytes, 0, 4) !== 'OggS' || bytes[4] !== 0)
    return undefined
  const segments = bytes[26] as number
  const bodyStart = HEAD_BYTES + segments
  const length = bytes.subarray(HEAD_BYTES, bodyStart).reduce((sum, lace) => sum + lace, bodyStart)
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
  /** Whether it begins a page. */
  beginsPage: boolean
  /** The pages that it begins and ends on, counted among those of the headers. */
  firstPage: number
  lastPage: number
}

interface Headers {
  isOpus: boolean
  /** The pages behind the first that hold the header packets. */
  pages: RawPage[]
  packets: HeaderPacket[]
  /** The packet of the comment, and where the comment lies in it. */
  comment: { packet: HeaderPacket; start: number }
}

/** How the packet of the comment begins, by codec; that of FLAC is a metadata block. */
const COMMENT_HEADS = { vorbis: '\x03vorbis', opus: 'OpusTags' } as const

/** The Vorbis comment of the first stream of Vorbis, Opus or FLAC in an Ogg file. */
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

async function headersOf(file: ByteSource, fileStart: number, maxBytes: number): Promise<Headers> {
  let stream: { serial: number; codec: 'vorbis' | 'opus' | 'flac'; count: number } | undefined
  const pages: RawPage[] = []
  const packets: HeaderPacket[] = []
  let open: { parts: Uint8Array[]; beginsPage: boolean; firstPage: number } | undefined
  let bytes = 0
  for (let position = fileStart; ; ) {
    const page = await pageAt(file, position)
    if (!page) refuseEdit('Ogg headers', 'are damaged')
    position = page.end
    const body = page.bytes.subarray(HEAD_BYTES + (page.bytes[26] as number))
    if (page.flags & FLAG.begins) {
      const codec = stream ? undefined : oggCodec(body)
      if (codec === 'vorbis' || codec === 'opus' || codec === 'flac') {
        stream = { serial: page.serial, codec, count: headerCount(codec, body) }
      }
      continue
    }
    if (!stream) refuseEdit('Ogg file', 'has no stream of Vorbis, Opus or FLAC')
    if (page.serial !== stream.serial) continue
    pages.push(page)
    bytes += page.bytes.length
    if (bytes > maxBytes)
      refuseEdit('Ogg headers', `have more than the ${maxBytes} bytes of limits.tagBytes`)
    for (const piece of piecesOf(page)) {
      if (packets.length === stream.count) {
        refuseEdit('Ogg file', 'has its headers and its sound on one page')
      }
      if (piece.isFirst && (open !== undefined) !== ((page.flags & FLAG.continued) !== 0)) {
        refuseEdit('Ogg headers', 'are damaged')
      }
      open ??= { parts: [], beginsPage: piece.isFirst, firstPage: pages.length - 1 }
      open.parts.push(piece.bytes)
      if (!piece.isComplete) continue
      packets.push({
        bytes: joinBytes(...open.parts),
        beginsPage: open.beginsPage,
        firstPage: open.firstPage,
        lastPage: pages.length - 1,
      })
      open = undefined
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

/** How many header packets follow the first: as many as its blocks for FLAC, which marks the last. */
function headerCount(codec: 'vorbis' | 'opus' | 'flac', first: Uint8Array): number {
  if (codec === 'vorbis') return 2
  if (codec === 'opus') return 1
  const stated = first.length > 9 ? viewOf(first).getUint16(7) : 0
  return stated === 0 ? Number.POSITIVE_INFINITY : stated
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

/** The pieces of packets on a page. */
export function piecesOf({ bytes }: RawPage): PacketPiece[] {
  const segments = bytes[26] as number
  const pieces: PacketPiece[] = []
  let start = HEAD_BYTES + segments
  let end = start
  for (let i = 0; i < segments; i++) {
    const lace = bytes[HEAD_BYTES + i] as number
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

async function planOgg(file: ByteSource, headers: Headers, comment: Uint8Array): Promise<Splice[]> {
  const { pages, packets } = headers
  const [first, last] = [pages[0] as RawPage, pages.at(-1) as RawPage]
  const contents = packets.map((packet) =>
    packet === headers.comment.packet
      ? { ...packet, bytes: withComment(packet.bytes, headers.comment.start, comment) }
      : packet,
  )
  const rebuilt = pagesOf(contents, first, last)
  // So that pages of other streams which lie between them keep their order.
  const splices: Splice[] = pages.map(({ start, end }, i) => ({
    start,
    end,
    bytes: joinBytes(...rebuilt.filter(({ place }) => place === i).map(({ bytes }) => bytes)),
  }))
  const added = rebuilt.length - pages.length
  if (added !== 0) splices.push(...(await renumbered(file, last, added)))
  return splices
}

/** The packet with another comment; a FLAC block states its length in front. */
function withComment(packet: Uint8Array, start: number, comment: Uint8Array): Uint8Array {
  if (start !== 4) return joinBytes(packet.subarray(0, start), comment)
  if (comment.length >= 2 ** 24)
    refuseEdit('Vorbis comment', 'would get longer than a FLAC block can be')
  return joinBytes(packet.subarray(0, 1), bigEndianBytes(comment.length, 3), comment)
}

const NO_PACKET_ENDS = new Uint8Array(8).fill(0xff)

interface RebuiltPage {
  bytes: Uint8Array
  /** The page in whose place it comes, counted among those of the headers. */
  place: number
}

/** Header packets on pages, broken where they were broken before. */
function pagesOf(packets: readonly HeaderPacket[], first: RawPage, last: RawPage): RebuiltPage[] {
  const pages: RebuiltPage[] = []
  let place = 0
  let lastPlace = 0
  let lacing: number[] = []
  let parts: Uint8Array[] = []
  let isContinued = false
  const close = () => {
    if (lacing.length === 0) return
    const endsPacket = lacing.some((lace) => lace < 255)
    const head = Uint8Array.from(first.bytes.subarray(0, HEAD_BYTES))
    head[5] = isContinued ? FLAG.continued : 0
    head.set(endsPacket ? last.bytes.subarray(6, 14) : NO_PACKET_ENDS, 6)
    head.set(littleEndianBytes(first.sequence + pages.length, 4), 18)
    head[26] = lacing.length
    const bytes = withChecksum(joinBytes(head, Uint8Array.from(lacing), ...parts))
    pages.push({ bytes, place })
    if (!endsPacket) place = Math.min(place + 1, lastPlace)
    isContinued = lacing.at(-1) === 255
    lacing = []
    parts = []
  }
  for (const { bytes, beginsPage, firstPage, lastPage } of packets) {
    if (beginsPage) close()
    place = firstPage
    lastPlace = lastPage
    for (let start = 0; start <= bytes.length; start += 255) {
      if (lacing.length === 255) close()
      const part = bytes.subarray(start, start + 255)
      lacing.push(part.length)
      parts.push(part)
    }
    // The end of each packet keeps its order among the pages of other streams.
    place = lastPage
  }
  close()
  return pages
}

function withChecksum(page: Uint8Array): Uint8Array {
  page.set(littleEndianBytes(checksumOf(page) >>> 0, 4), 22)
  return page
}

/** New numbers, and checksums, for the pages of a stream behind its headers. */
async function renumbered(file: ByteSource, last: RawPage, added: number): Promise<Splice[]> {
  const splices: Splice[] = []
  for (let position = last.end; position < file.size; ) {
    const page = await pageAt(file, position)
    if (!page) refuseEdit('Ogg file', 'has damaged pages, which cannot be numbered anew')
    position = page.end
    if (page.serial !== last.serial) continue
    // A later stream of a chain may have the same number.
    if (page.flags & FLAG.begins) break
    const sequence = littleEndianBytes((page.sequence + added) >>> 0, 4)
    page.bytes.set(sequence, 18)
    const bytes = withChecksum(page.bytes).slice(18, 26)
    splices.push({ start: page.start + 18, end: page.start + 26, bytes })
  }
  return splices
}

import type { Dice } from '../hostile/dice.ts'
import { joinPieces, keptPiece, loosePiece, type Piece } from './pieces.ts'
import { isChosen, someOf } from './texts.ts'
import { commentsPiece, pictureBlock } from './vorbis-comments.ts'

/** A page of Ogg (RFC 3533) as it was read or is to be written. */
export interface OggPageParts {
  flags: number
  granule: bigint
  serial: number
  sequence: number
  lacing: Buffer
  body: Buffer
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

function pageSum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) sum = (sum << 8) ^ (CRC_TABLE[((sum >>> 24) ^ byte) & 255] as number)
  return sum >>> 0
}

export function oggPageBytes({
  flags,
  granule,
  serial,
  sequence,
  lacing,
  body,
}: OggPageParts): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeBigInt64LE(granule, 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = lacing.length
  const bytes = Buffer.concat([head, lacing, body])
  bytes.writeUInt32LE(pageSum(bytes), 22)
  return bytes
}

/** The pages at the beginning of a file, and the bytes behind the last of them. */
export function readOggPages(file: Buffer): {
  pages: (OggPageParts & { isSound: boolean })[]
  rest: Buffer
} {
  const pages: (OggPageParts & { isSound: boolean })[] = []
  let at = 0
  while (at + 27 <= file.length && file.toString('latin1', at, at + 4) === 'OggS') {
    const count = file[at + 26] as number
    const lacing = file.subarray(at + 27, at + 27 + count)
    const start = at + 27 + count
    const end = start + lacing.reduce((sum, length) => sum + length, 0)
    if (lacing.length < count || end > file.length) break
    const sum = file.readUInt32LE(at + 22)
    const copy = Buffer.from(file.subarray(at, end))
    copy.writeUInt32LE(0, 22)
    pages.push({
      flags: file[at + 5] as number,
      granule: file.readBigInt64LE(at + 6),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
      lacing,
      body: file.subarray(start, end),
      isSound: pageSum(copy) === sum,
    })
    at = end
  }
  return { pages, rest: file.subarray(at) }
}

/** The packets that these pages hold, one stream alone. */
export function packetsOfPages(pages: readonly OggPageParts[]): Buffer[] {
  const packets: Buffer[] = []
  let open: Buffer[] = []
  for (const { lacing, body } of pages) {
    let at = 0
    for (const length of lacing) {
      open.push(body.subarray(at, at + length))
      at += length
      if (length === 255) continue
      packets.push(Buffer.concat(open))
      open = []
    }
  }
  if (open.length > 0) packets.push(Buffer.concat(open))
  return packets
}

/** The headers and the pages of sound of a file with one stream. */
export interface OggSound {
  codec: 'vorbis' | 'opus' | 'flac'
  headers: Buffer[]
  soundPages: OggPageParts[]
}

export function oggSound(file: Buffer, codec: OggSound['codec']): OggSound {
  const { pages } = readOggPages(file)
  const first = pages[0]?.body ?? Buffer.alloc(0)
  const count = codec === 'vorbis' ? 3 : codec === 'opus' ? 2 : 1 + first.readUInt16BE(7)
  let seen = 0
  const soundAt = pages.findIndex(({ lacing }) => {
    const isReached = seen >= count
    seen += lacing.filter((length) => length < 255).length
    return isReached
  })
  return {
    codec,
    headers: packetsOfPages(pages.slice(0, soundAt)).slice(0, count),
    soundPages: pages.slice(soundAt),
  }
}

/** How the headers behind the first are put into pages. */
type Paging = 'together' | 'one each' | 'short pages'

/** The pages of packets of headers, the first on a page of its own. */
function headerPages(packets: readonly Buffer[], serial: number, paging: Paging): OggPageParts[] {
  const groups = [packets.slice(0, 1)]
  if (paging === 'one each') groups.push(...packets.slice(1).map((packet) => [packet]))
  else groups.push(packets.slice(1))
  const perPage = paging === 'short pages' ? 3 : 255
  const pages: OggPageParts[] = []
  for (const group of groups) {
    const segments = group.flatMap((packet) =>
      Array.from({ length: Math.floor(packet.length / 255) + 1 }, (_, i) =>
        packet.subarray(255 * i, 255 * i + 255),
      ),
    )
    let isContinued = false
    for (let at = 0; at < segments.length; at += perPage) {
      const part = segments.slice(at, at + perPage)
      const hasEnd = part.some(({ length }) => length < 255)
      pages.push({
        flags: (isContinued ? 1 : 0) | (pages.length === 0 ? 2 : 0),
        granule: hasEnd ? 0n : -1n,
        serial,
        sequence: pages.length,
        lacing: Buffer.from(part.map(({ length }) => length)),
        body: Buffer.concat(part),
      })
      isContinued = part.at(-1)?.length === 255
    }
  }
  return pages
}

/** The packet of comments of a codec. */
function commentPacket(dice: Dice, codec: OggSound['codec'], names: string[]): Piece {
  const huge = isChosen(dice, 0.15) ? dice.pick([60_000, 200_000]) : 0
  if (huge > 0) names.push('huge picture')
  const comments = commentsPiece(dice, huge)
  if (codec === 'flac') {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(comments.bytes.length)
    head[0] = 4
    return joinPieces([loosePiece(head), comments])
  }
  if (codec === 'vorbis') {
    const head = loosePiece(Buffer.from('\x03vorbis', 'latin1'))
    return joinPieces([head, comments, loosePiece(Buffer.of(1))])
  }
  const pieces = [loosePiece(Buffer.from('OpusTags')), comments]
  // RFC 7845, 5.2: bytes behind the comments are to be kept if the first of them is odd.
  const end = dice.unit()
  if (end < 0.2) {
    names.push('padding')
    pieces.push(loosePiece(Buffer.alloc(dice.pick([1, 100, 600]))))
  } else if (end < 0.4) {
    names.push('binary data')
    const data = Buffer.concat([Buffer.of(1), dice.bytes(40)])
    pieces.push(keptPiece('binary data of OpusTags', 'comments', data))
  }
  return joinPieces(pieces)
}

function extraFlacBlocks(dice: Dice): Buffer[] {
  const block = (type: number, content: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(content.length)
    head[0] = type
    return Buffer.concat([head, content])
  }
  const all = [
    block(6, pictureBlock(dice, 3, 2000)),
    block(2, Buffer.concat([Buffer.from('ATCH'), dice.bytes(50)])),
    block(3, Buffer.alloc(18)),
  ]
  return someOf(dice, all, dice.between(0, 3))
}

/** The headers of a stream, as pieces. */
function headerPieces(dice: Dice, { codec, headers }: OggSound, names: string[]): Piece[] {
  const first = Buffer.from(headers[0] as Buffer)
  const comments = commentPacket(dice, codec, names)
  if (codec !== 'flac') {
    const others = headers.slice(2).map((packet) => keptPiece('setup', 'packets', packet))
    return [keptPiece('first header', 'packets', first), comments, ...others]
  }
  const blocks = extraFlacBlocks(dice)
  names.push(`${blocks.length} more blocks`)
  first.writeUInt16BE(1 + blocks.length, 7)
  const all = [comments.bytes, ...blocks]
  const last = all.at(-1) as Buffer
  last[0] = (last[0] as number) | 0x80
  const kept = blocks.map((bytes) => keptPiece('block', 'packets', bytes.subarray(1)))
  // The flag of the last block may move.
  const pieces = blocks.map((bytes, i) => ({ bytes, kept: kept[i]?.kept ?? [] }))
  return [keptPiece('first header', 'packets', first), comments, ...pieces]
}

/** A stream of Ogg with comments of its own. */
export function oggStream(
  dice: Dice,
  sound: OggSound,
  { serial, hasEnd = true }: { serial: number; hasEnd?: boolean },
): { pages: OggPageParts[]; kept: Piece['kept']; names: string[] } {
  const names: string[] = []
  const pieces = headerPieces(dice, sound, names)
  const paging = dice.pick(['together', 'one each', 'short pages'] as const)
  names.push(`headers ${paging}`)
  const pages = headerPages(
    pieces.map(({ bytes }) => bytes),
    serial,
    paging,
  )
  for (const page of sound.soundPages) {
    const flags = hasEnd ? page.flags : page.flags & ~4
    pages.push({ ...page, flags, serial, sequence: pages.length })
  }
  return { pages, kept: joinPieces(pieces).kept, names }
}

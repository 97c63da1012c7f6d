import { bigEndian32 } from './pieces.ts'

/** A box of MP4 (ISO/IEC 14496-12): one that holds boxes, or one that holds bytes. */
export interface Mp4Box {
  type: string
  /** For boxes of bytes. */
  content: Buffer
  /** For boxes of boxes, which stand behind `content`. */
  boxes?: Mp4Box[]
  /** Whether the size takes 64 bits. */
  isLarge?: boolean
}

const HOLDERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta', 'edts', 'dinf', 'tref']

/** The boxes in a file that an encoder made. */
export function readMp4Boxes(bytes: Buffer): Mp4Box[] {
  const boxes: Mp4Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const isLarge = size === 1
    const end = at + (isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : size)
    const content = bytes.subarray(at + (isLarge ? 16 : 8), end)
    const isHolder = HOLDERS.includes(type) && type !== 'tref' && type !== 'dinf'
    boxes.push(
      isHolder
        ? { type, content: Buffer.alloc(0), boxes: readMp4Boxes(content), isLarge }
        : { type, content, isLarge },
    )
    at = Math.max(end, at + 8)
  }
  return boxes
}

export function mp4BoxBytes({ type, content, boxes = [], isLarge }: Mp4Box): Buffer {
  const body = Buffer.concat([content, ...boxes.map(mp4BoxBytes)])
  const name = Buffer.from(type, 'latin1')
  if (!isLarge) return Buffer.concat([bigEndian32(body.length + 8), name, body])
  return Buffer.concat([bigEndian32(1), name, bigEndian32(0, body.length + 16), body])
}

/** Calls with each box, those inside after their holder. */
export function eachMp4Box(boxes: readonly Mp4Box[], visit: (box: Mp4Box) => void): void {
  for (const box of boxes) {
    visit(box)
    eachMp4Box(box.boxes ?? [], visit)
  }
}

/** The places of sound and texts that the tables of a file name, one list for each table. */
export function chunkPlaces(file: Buffer): number[][] {
  const tables: number[][] = []
  eachMp4Box(readMp4Boxes(wholeBoxes(file)), ({ type, content }) => {
    if (type !== 'stco' && type !== 'co64') return
    const count = content.readUInt32BE(4)
    tables.push(
      Array.from({ length: count }, (_, i) =>
        type === 'stco'
          ? content.readUInt32BE(8 + 4 * i)
          : Number(content.readBigUInt64BE(8 + 8 * i)),
      ),
    )
  })
  return tables
}

/** A copy in which a last box of unknown size has one, and bytes behind the last box are cut off. */
export function wholeBoxes(file: Buffer): Buffer {
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at)
    if (size === 0) {
      const copy = Buffer.from(file)
      copy.writeUInt32BE(file.length - at, at)
      return copy
    }
    const large = size === 1 ? Number(file.readBigUInt64BE(at + 8)) : size
    if (large < 8 || at + large > file.length) return file.subarray(0, at)
    at += large
  }
  return file
}

import type { Dice } from '../hostile/dice.ts'
import { eachMp4Box, type Mp4Box, mp4BoxBytes, readMp4Boxes } from './mp4-boxes.ts'
import { keyedMeta, udtaPiece } from './mp4-tags.ts'
import { joinPieces, keptPiece, loosePiece, type Piece } from './pieces.ts'
import { isChosen } from './texts.ts'

/** A file that an encoder made, in parts. */
export interface Mp4Base {
  /** The type of the file. */
  ftyp: Buffer
  /** The boxes of moov but udta. */
  movie: Mp4Box[]
  data: Buffer
  /** Where `data` stood in the file. */
  dataAt: number
}

export function mp4Base(file: Buffer): Mp4Base {
  const boxes = readMp4Boxes(file)
  const named = (type: string) => boxes.find((box) => box.type === type)
  const data = named('mdat')?.content ?? Buffer.alloc(0)
  const movie = (named('moov')?.boxes ?? []).filter(({ type }) => type !== 'udta')
  const ftyp = mp4BoxBytes(
    named('ftyp') ?? { type: 'ftyp', content: Buffer.from('qt  \0\0\0\0qt  ') },
  )
  return { ftyp, movie, data, dataAt: data.byteOffset - file.byteOffset }
}

/** A copy of the boxes whose tables of chunks are moved, in 64 bits if that is wanted. */
function movedTables(boxes: readonly Mp4Box[], distance: number, isWide: boolean): Mp4Box[] {
  return boxes.map((box) => {
    if (box.boxes) return { ...box, boxes: movedTables(box.boxes, distance, isWide) }
    if (box.type !== 'stco') return box
    const count = box.content.readUInt32BE(4)
    const content = Buffer.alloc(8 + (isWide ? 8 : 4) * count)
    content.writeUInt32BE(count, 4)
    for (let i = 0; i < count; i++) {
      const place = box.content.readUInt32BE(8 + 4 * i) + distance
      if (isWide) content.writeBigUInt64BE(BigInt(place), 8 + 8 * i)
      else content.writeUInt32BE(place, 8 + 4 * i)
    }
    return { ...box, type: isWide ? 'co64' : 'stco', content }
  })
}

/** Boxes of bytes must be kept, but the tables of chunks and free space. */
function keptBoxes(boxes: readonly Mp4Box[]): Piece['kept'] {
  const kept: Piece['kept'][] = []
  eachMp4Box(boxes, (box) => {
    if (box.boxes || ['stco', 'co64', 'free', 'skip'].includes(box.type)) return
    kept.push(keptPiece(`box ${box.type}`, 'moov', mp4BoxBytes(box)).kept)
  })
  return kept.flat()
}

const free = (dice: Dice): Mp4Box => ({
  type: dice.pick(['free', 'skip']),
  content: Buffer.alloc(dice.pick([0, 8, 500, 3000])),
})

const odd = (dice: Dice): Mp4Box =>
  isChosen(dice, 0.5)
    ? { type: 'uuid', content: dice.bytes(60) }
    : { type: dice.pick(['zzzz', 'wide']), content: dice.bytes(13) }

export interface Mp4Kind {
  hasChapters: boolean
  isQuickTime: boolean
}

/** A file of these tracks with tags, its boxes in the order of chance. */
export function mp4File(
  dice: Dice,
  base: Mp4Base,
  kind: Mp4Kind,
): { piece: Piece; names: string[] } {
  const names: string[] = []
  const isWide = isChosen(dice, 0.2)
  const movieFirst = isChosen(dice, 0.5)
  names.push(movieFirst ? 'moov first' : 'moov last', isWide ? 'co64' : 'stco')
  const tags = isChosen(dice, 0.9) ? udtaPiece(dice, kind, names) : undefined
  const loose = [
    ...(isChosen(dice, 0.15) ? [free(dice)] : []),
    ...(isChosen(dice, 0.1) ? [odd(dice)] : []),
    ...(kind.isQuickTime && isChosen(dice, 0.4) ? [keyedMeta(dice)] : []),
  ]
  const tagsFirst = isChosen(dice, 0.2)
  const isLargeMovie = isChosen(dice, 0.05)
  if (isLargeMovie) names.push('moov of 64 bits')
  const moov = (distance: number): Piece => {
    const [head, ...tracks] = movedTables(base.movie, distance, isWide) as [Mp4Box, ...Mp4Box[]]
    const piece = (boxes: readonly Mp4Box[]): Piece => ({
      bytes: Buffer.concat(boxes.map(mp4BoxBytes)),
      kept: keptBoxes(boxes),
    })
    const own = tags ? [tags] : []
    const inside = joinPieces([
      piece([head]),
      ...(tagsFirst ? own : []),
      piece([...tracks, ...loose]),
      ...(tagsFirst ? [] : own),
    ])
    const bytes = mp4BoxBytes({ type: 'moov', content: inside.bytes, isLarge: isLargeMovie })
    return { bytes, kept: inside.kept }
  }
  return { piece: arrangedBoxes(dice, base, { moov, movieFirst, names }), names }
}

function arrangedBoxes(
  dice: Dice,
  { ftyp, data, dataAt }: Mp4Base,
  order: { moov: (distance: number) => Piece; movieFirst: boolean; names: string[] },
): Piece {
  const { moov, movieFirst, names } = order
  const around = () =>
    isChosen(dice, 0.25) ? [isChosen(dice, 0.6) ? free(dice) : odd(dice)].map(boxPiece) : []
  const [first, second, third] = [around(), around(), around()]
  const others = isChosen(dice, 0.15)
    ? [keptPiece('second mdat', 'mdat', mp4BoxBytes({ type: 'mdat', content: dice.bytes(99) }))]
    : []
  if (others.length > 0) names.push('two mdat')
  const isLarge = isChosen(dice, 0.1)
  const isOpen = !movieFirst ? false : isChosen(dice, 0.05)
  const head = mp4BoxBytes({ type: 'mdat', content: data, isLarge }).subarray(0, isLarge ? 16 : 8)
  if (isOpen && !isLarge) {
    names.push('mdat to the end')
    head.writeUInt32BE(0)
  }
  const sound = joinPieces([loosePiece(head), keptPiece('mdat', 'mdat', data)])
  const isLastBox = isOpen && !isLarge
  const behind = isLastBox ? [] : third
  const made = (distance: number): Piece[] =>
    movieFirst
      ? [loosePiece(ftyp), ...first, moov(distance), ...second, ...others, sound, ...behind]
      : [loosePiece(ftyp), ...first, sound, ...others, ...second, moov(distance), ...behind]
  const before = (pieces: readonly Piece[]) =>
    pieces.slice(0, pieces.indexOf(sound)).reduce((sum, { bytes }) => sum + bytes.length, 0)
  return joinPieces(made(before(made(0)) + head.length - dataAt))
}

function boxPiece(box: Mp4Box): Piece {
  const bytes = mp4BoxBytes(box)
  const isSpace = box.type === 'free' || box.type === 'skip'
  return isSpace ? loosePiece(bytes) : keptPiece(`box ${box.type}`, 'file', bytes)
}

/** A file in fragments, of which nothing may change. */
export function fragmentedFile(dice: Dice, file: Buffer): Piece {
  const boxes = readMp4Boxes(file).map((box) =>
    keptPiece(`box ${box.type}`, 'file', mp4BoxBytes(box)),
  )
  return joinPieces([...boxes, boxPiece(odd(dice))])
}

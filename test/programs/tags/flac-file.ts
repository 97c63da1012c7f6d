import type { Dice } from '../hostile/dice.ts'
import { joinPieces, keptPiece, loosePiece, type Piece } from './pieces.ts'
import { binaryBytes, isChosen, someOf } from './texts.ts'
import { commentsPiece, pictureBlock } from './vorbis-comments.ts'

/** The kinds of blocks of FLAC (RFC 9639, 8.1). */
export const FLAC_BLOCK = {
  padding: 1,
  application: 2,
  seekTable: 3,
  comments: 4,
  cueSheet: 5,
  picture: 6,
}

/** The first block of a FLAC file, and its sound. */
export interface FlacSound {
  /** The 34 bytes of STREAMINFO. */
  info: Buffer
  frames: Buffer
}

export function flacSound(file: Buffer): FlacSound {
  let at = 4
  for (let isLast = false; !isLast; at += 4 + file.readUIntBE(at + 1, 3)) {
    isLast = (file[at] ?? 0) >= 0x80
  }
  return { info: file.subarray(8, 42), frames: file.subarray(at) }
}

interface Block {
  type: number
  content: Piece
}

const keptBlock = (type: number, name: string, content: Buffer): Block => ({
  type,
  content: keptPiece(name, 'blocks', content),
})

function cueSheet(dice: Dice): Buffer {
  const head = Buffer.alloc(396)
  head.write('1234567890123')
  head.writeBigUInt64BE(88_200n, 128)
  head[136] = 0x80
  head[395] = 2
  const track = (number: number, hasIndex: boolean) => {
    const bytes = Buffer.alloc(hasIndex ? 48 : 36)
    bytes[8] = number
    bytes.write('ABCDE1234567', 9)
    if (hasIndex) bytes.set([1, 1], 35)
    if (hasIndex) bytes[44] = 1
    return bytes
  }
  return Buffer.concat([head, track(1, true), track(170, false), Buffer.alloc(dice.between(0, 1))])
}

function someBlocks(dice: Dice): { blocks: Block[]; names: string[] } {
  const names: string[] = []
  const blocks: Block[] = []
  const add = (share: number, name: string, make: () => Block) => {
    if (!isChosen(dice, share)) return
    names.push(name)
    blocks.push(make())
  }
  const padding = () => ({
    type: FLAC_BLOCK.padding,
    content: loosePiece(Buffer.alloc(dice.pick([0, 1, 4, 200, 4096]))),
  })
  const comments = () => ({ type: FLAC_BLOCK.comments, content: commentsPiece(dice) })
  add(0.85, 'comments', comments)
  // The sound of a table that is wrong is the same; only seeking suffers.
  add(0.4, 'SEEKTABLE', () => keptBlock(FLAC_BLOCK.seekTable, 'SEEKTABLE', Buffer.alloc(36)))
  add(0.3, 'APPLICATION', () =>
    keptBlock(
      FLAC_BLOCK.application,
      'APPLICATION',
      Buffer.concat([Buffer.from(dice.pick(['riff', 'ATCH'])), binaryBytes(dice, 77)]),
    ),
  )
  add(0.2, 'CUESHEET', () => keptBlock(FLAC_BLOCK.cueSheet, 'CUESHEET', cueSheet(dice)))
  for (const kind of [3, 4]) {
    add(0.3, 'PICTURE', () => {
      const length = dice.pick([10, 3000, 70_000])
      return keptBlock(FLAC_BLOCK.picture, 'PICTURE', pictureBlock(dice, kind, length))
    })
  }
  for (let i = 0; i < 3; i++) add(0.35, 'PADDING', padding)
  add(0.06, 'unknown block', () => keptBlock(dice.between(7, 126), 'unknown block', dice.bytes(33)))
  const ordered = someOf(dice, blocks, blocks.length)
  if (names.includes('comments') && isChosen(dice, 0.06)) {
    names.push('second comments')
    const second = commentsPiece(dice)
    ordered.push(keptBlock(FLAC_BLOCK.comments, 'second comments', second.bytes))
  }
  return { blocks: ordered, names }
}

/** Metadata blocks behind STREAMINFO and the sound. */
export function flacPiece(dice: Dice, sound: FlacSound): { piece: Piece; names: string[] } {
  const { blocks, names } = someBlocks(dice)
  const all = [keptBlock(0, 'STREAMINFO', sound.info), ...blocks]
  const pieces = all.map(({ type, content }, i) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(content.bytes.length)
    head[0] = type | (i === all.length - 1 ? 0x80 : 0)
    return joinPieces([loosePiece(head), content])
  })
  const piece = joinPieces([
    loosePiece(Buffer.from('fLaC')),
    ...pieces,
    keptPiece('sound', 'blocks', sound.frames),
  ])
  return { piece, names }
}

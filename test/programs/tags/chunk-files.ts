import type { Dice } from '../hostile/dice.ts'
import { joinPieces, keptPiece, littleEndian32, loosePiece, type Piece } from './pieces.ts'
import { binaryBytes, isChosen, legacyText, someOf, someWords } from './texts.ts'

/** A chunk of RIFF or of AIFF. */
interface Chunk {
  id: string
  content: Piece
  /** Whether an odd number of bytes has no zero behind it, as some programs write. */
  isUnpadded?: boolean
}

function chunkPiece({ id, content, isUnpadded }: Chunk, isLittle: boolean): Piece {
  const size = Buffer.alloc(4)
  const { length } = content.bytes
  if (isLittle) size.writeUInt32LE(length)
  else size.writeUInt32BE(length)
  const pad = Buffer.alloc(isUnpadded ? 0 : length % 2)
  return joinPieces([loosePiece(Buffer.from(id, 'latin1'), size), content, loosePiece(pad)])
}

/** A chunk that must be kept, its head with it. */
function keptChunk(id: string, bytes: Buffer, isLittle: boolean, isUnpadded = false): Piece {
  const { bytes: whole } = chunkPiece({ id, content: loosePiece(bytes), isUnpadded }, isLittle)
  const head = whole.subarray(0, 8 + bytes.length)
  const pad = loosePiece(whole.subarray(head.length))
  return joinPieces([keptPiece(`chunk ${id}`, 'chunks', head), pad])
}

/** Sound of 16 bits: what a file says of it, and its samples, least byte first. */
export interface PlainSound {
  sampleRate: number
  samples: Buffer
}

function waveFormat({ sampleRate }: PlainSound): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16LE(1, 0)
  bytes.writeUInt16LE(1, 2)
  bytes.writeUInt32LE(sampleRate, 4)
  bytes.writeUInt32LE(2 * sampleRate, 8)
  bytes.writeUInt16LE(2, 12)
  bytes.writeUInt16LE(16, 14)
  return bytes
}

/** A WAV file that holds its sound and nothing else. */
export function plainWave(sound: PlainSound): Buffer {
  const chunks = [
    chunkPiece({ id: 'fmt ', content: loosePiece(waveFormat(sound)) }, true).bytes,
    chunkPiece({ id: 'data', content: loosePiece(sound.samples) }, true).bytes,
  ]
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), littleEndian32(body.length), body])
}

function infoList(dice: Dice): Buffer {
  const items = ['INAM', 'IART', 'IPRD', 'ICMT', 'ISFT', 'ICRD', 'IBPM', 'ZZZZ']
  const pieces = someOf(dice, items, dice.between(1, 7)).map((id) => {
    const value = isChosen(dice, 0.3) ? legacyText(dice) : Buffer.from(someWords(dice))
    const content = loosePiece(value, Buffer.of(0))
    return chunkPiece({ id, content }, true)
  })
  return Buffer.concat([Buffer.from('INFO'), joinPieces(pieces).bytes])
}

function otherRiffChunks(dice: Dice): Piece[] {
  const bytes = (length: number) => binaryBytes(dice, length)
  const all: [string, Buffer][] = [
    ['LIST', infoList(dice)],
    ['bext', Buffer.concat([Buffer.from('a description'), Buffer.alloc(589), bytes(30)])],
    [
      'cue ',
      Buffer.concat([littleEndian32(1, 1, 0), Buffer.from('data'), littleEndian32(0, 0, 99)]),
    ],
    ['smpl', Buffer.alloc(36)],
    ['inst', Buffer.from([60, 0, 0, 0, 127, 0, 127])],
    ['iXML', Buffer.from('<BWFXML><PROJECT>x</PROJECT></BWFXML>')],
    ['_PMX', Buffer.from('<x:xmpmeta/>')],
    ['acid', bytes(24)],
    ['JUNK', Buffer.alloc(28)],
    ['PAD ', Buffer.alloc(11)],
    [
      'LIST',
      Buffer.concat([
        Buffer.from('adtl'),
        Buffer.from('labl'),
        littleEndian32(6, 1),
        Buffer.from('a\0'),
      ]),
    ],
    ['odd?', bytes(dice.pick([0, 1, 5, 33]))],
    ['fact', littleEndian32(16_000)],
  ]
  const chosen = someOf(dice, all, dice.between(0, 7))
  return chosen.map(([id, content]) => keptChunk(id, content, true, isChosen(dice, 0.03)))
}

export type ChunkPlace = 'none' | 'front' | 'middle' | 'end'

/** A WAV file, or one of RF64 (EBU Tech 3306). */
export function riffFile(
  dice: Dice,
  sound: PlainSound,
  { tag, is64 }: { tag: Piece | undefined; is64: boolean },
): { piece: Piece; names: string[] } {
  const place: ChunkPlace = tag ? dice.pick(['front', 'middle', 'end'] as const) : 'none'
  const spelling = dice.pick(['id3 ', 'ID3 '])
  const names = tag ? [`${spelling.trim()} at the ${place}`] : ['no tag']
  const tagChunks = tag ? [chunkPiece({ id: spelling, content: tag }, true)] : []
  const [before, after] = [otherRiffChunks(dice), otherRiffChunks(dice)]
  names.push(`${before.length} chunks before the sound, ${after.length} behind`)
  const data: Chunk = { id: 'data', content: keptPiece('sound', 'chunks', sound.samples) }
  const dataPiece = chunkPiece(data, true)
  if (is64) dataPiece.bytes.writeUInt32LE(0xffffffff, 4)
  const body = joinPieces([
    ...(place === 'front' ? tagChunks : []),
    keptChunk('fmt ', waveFormat(sound), true),
    ...before,
    dataPiece,
    ...(place === 'middle' ? tagChunks : []),
    ...after,
    ...(place === 'end' ? tagChunks : []),
  ])
  const trailing = isChosen(dice, 0.08) ? dice.bytes(dice.pick([1, 3, 50])) : Buffer.alloc(0)
  if (trailing.length > 0) names.push('trailing bytes')
  const end = keptPiece('trailing bytes', 'end', trailing)
  if (!is64) {
    const size = littleEndian32(4 + body.bytes.length)
    const head = loosePiece(Buffer.from('RIFF'), size, Buffer.from('WAVE'))
    return { piece: joinPieces([head, body, end]), names }
  }
  const sizes = Buffer.alloc(28)
  sizes.writeBigUInt64LE(BigInt(4 + 36 + body.bytes.length), 0)
  sizes.writeBigUInt64LE(BigInt(sound.samples.length), 8)
  sizes.writeBigUInt64LE(BigInt(sound.samples.length / 2), 16)
  const sized = chunkPiece({ id: 'ds64', content: loosePiece(sizes) }, true)
  const head = loosePiece(Buffer.from('RF64'), littleEndian32(0xffffffff), Buffer.from('WAVE'))
  return { piece: joinPieces([head, sized, body, end]), names }
}

function otherFormChunks(dice: Dice): Piece[] {
  const comment = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 9, 0, 0, 0, 4]), Buffer.from('note')])
  const all: [string, Buffer][] = [
    ['NAME', Buffer.from(someWords(dice))],
    ['AUTH', legacyText(dice)],
    ['(c) ', Buffer.from('1999 me')],
    ['ANNO', Buffer.from(someWords(dice))],
    ['ANNO', Buffer.from('again')],
    ['COMT', comment],
    ['APPL', Buffer.concat([Buffer.from('stoc'), binaryBytes(dice, 31)])],
    ['MARK', Buffer.from([0, 1, 0, 1, 0, 0, 0, 9, 1, 0x61])],
    ['INST', Buffer.alloc(20)],
    ['CHAN', Buffer.alloc(12)],
    ['????', binaryBytes(dice, dice.pick([0, 7, 90]))],
  ]
  return someOf(dice, all, dice.between(0, 7)).map(([id, content]) => keptChunk(id, content, false))
}

/** An 80-bit float of a whole number. */
function extended80(value: number): Buffer {
  const bytes = Buffer.alloc(10)
  const exponent = Math.floor(Math.log2(value))
  bytes.writeUInt16BE(16_383 + exponent)
  bytes.writeBigUInt64BE(BigInt(value) << BigInt(63 - exponent), 2)
  return bytes
}

/** An AIFF or AIFF-C file. */
export function formFile(
  dice: Dice,
  { sampleRate, samples }: PlainSound,
  { tag, isCompressed }: { tag: Piece | undefined; isCompressed: boolean },
): { piece: Piece; names: string[] } {
  const format = Buffer.alloc(8)
  format.writeUInt16BE(1)
  format.writeUInt32BE(samples.length / 2, 2)
  format.writeUInt16BE(16, 6)
  const form = isCompressed ? 'AIFC' : 'AIFF'
  const codec = Buffer.from(isCompressed ? 'NONE\x0enot compressed\0' : '', 'latin1')
  const common = Buffer.concat([format, extended80(sampleRate), codec])
  const data = Buffer.concat([Buffer.alloc(8), Buffer.from(samples).swap16()])
  const place: ChunkPlace = tag ? dice.pick(['front', 'middle', 'end'] as const) : 'none'
  const tagChunks = tag ? [chunkPiece({ id: 'ID3 ', content: tag }, false)] : []
  const version = isCompressed
    ? [keptChunk('FVER', Buffer.from([0xa2, 0x80, 0x51, 0x40]), false)]
    : []
  const body = joinPieces([
    ...version,
    ...(place === 'front' ? tagChunks : []),
    keptChunk('COMM', common, false),
    ...otherFormChunks(dice),
    keptChunk('SSND', data, false),
    ...(place === 'middle' ? tagChunks : []),
    ...otherFormChunks(dice),
    ...(place === 'end' ? tagChunks : []),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4 + body.bytes.length)
  const head = loosePiece(Buffer.from('FORM'), size, Buffer.from(form))
  const end = keptPiece(
    'trailing bytes',
    'end',
    isChosen(dice, 0.06) ? dice.bytes(9) : Buffer.alloc(0),
  )
  return {
    piece: joinPieces([head, body, end]),
    names: [form, tag ? `ID3 at the ${place}` : 'no tag'],
  }
}

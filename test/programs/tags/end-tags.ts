import type { Dice } from '../hostile/dice.ts'
import { joinPieces, keptPiece, littleEndian32, loosePiece, type Piece } from './pieces.ts'
import { binaryBytes, isChosen, latinWords, legacyText, someOf, someWords } from './texts.ts'

const field = (text: string | Buffer, length: number) => {
  const bytes = Buffer.alloc(length)
  Buffer.from(text as string, 'latin1').copy(bytes)
  return bytes
}

function id3v1Bytes(dice: Dice): Buffer {
  const legacy = isChosen(dice, 0.3)
  const names = [0, 1, 2].map(() => field(legacy ? legacyText(dice) : latinWords(dice), 30))
  const comment = field('an old comment', 30)
  if (isChosen(dice, 0.5)) comment.set([0, 7], 28)
  return Buffer.concat([Buffer.from('TAG'), ...names, field('1999', 4), comment, Buffer.of(17)])
}

/** The enhanced tag, which stands before ID3v1. */
function enhancedBytes(dice: Dice): Buffer {
  const names = [0, 1, 2].map(() => field(latinWords(dice), 60))
  return Buffer.concat([
    Buffer.from('TAG+'),
    ...names,
    Buffer.of(2),
    field('Rock', 30),
    field('000:00', 6),
    field('003:20', 6),
  ])
}

function lyrics3Bytes(dice: Dice, version: 1 | 2): Buffer {
  const text = Buffer.from(
    `[00:0${dice.between(0, 9)}]la la\r\n`.repeat(dice.between(1, 9)),
    'latin1',
  )
  if (version === 1) {
    return Buffer.concat([Buffer.from('LYRICSBEGIN'), text, Buffer.from('LYRICSEND')])
  }
  const part = (id: string, value: Buffer) =>
    Buffer.concat([Buffer.from(id + String(value.length).padStart(5, '0')), value])
  const body = Buffer.concat([
    Buffer.from('LYRICSBEGIN'),
    part('IND', Buffer.from('110')),
    part('LYR', text),
    part('EAL', Buffer.from(latinWords(dice), 'latin1')),
  ])
  return Buffer.concat([body, Buffer.from(`${String(body.length).padStart(6, '0')}LYRICS200`)])
}

interface ApeItem {
  key: string
  value: Buffer
  flags: number
  isAsked?: boolean
}

function apeItems(dice: Dice, version: 1 | 2): ApeItem[] {
  const text = (key: string): ApeItem => ({
    key,
    value: isChosen(dice, 0.25) ? legacyText(dice) : Buffer.from(someWords(dice)),
    flags: version === 2 && isChosen(dice, 0.15) ? 1 : 0,
  })
  const others = [
    ...['Title', 'Artist', 'Album', 'Composer', 'mp3gain_undo', 'MP3GAIN_MINMAX', 'ab'].map(text),
    { key: 'Artists', value: Buffer.from('A\0B\0C'), flags: 0 },
    { key: 'Empty', value: Buffer.alloc(0), flags: 0 },
    { key: 'Related', value: Buffer.from('http://a.example/'), flags: version === 2 ? 4 : 0 },
  ]
  const cover = Buffer.concat([Buffer.from('cover.jpg\0'), binaryBytes(dice, 900)])
  if (version === 2) others.push({ key: 'Cover Art (Front)', value: cover, flags: 2 })
  const asked = ['BPM', 'Comment', 'REPLAYGAIN_TRACK_GAIN', 'replaygain_track_peak', 'Mood'].map(
    (key) => ({ key, value: Buffer.from('-1.00'), flags: 0, isAsked: true }),
  )
  const all = [
    ...someOf(dice, others, dice.between(0, 8)),
    ...someOf(dice, asked, dice.between(0, 3)),
  ]
  return someOf(dice, all, all.length)
}

/** An APE tag, with a header or without. */
export function apePiece(dice: Dice, version: 1 | 2): Piece {
  const hasHeader = version === 2 && isChosen(dice, 0.6)
  const items = apeItems(dice, version)
  const pieces = items.map(({ key, value, flags, isAsked }) => {
    const bytes = Buffer.concat([
      littleEndian32(value.length, flags),
      Buffer.from(`${key}\0`),
      value,
    ])
    return isAsked ? loosePiece(bytes) : keptPiece(`APE ${key}`, 'APE', bytes)
  })
  const body = joinPieces(pieces)
  const end = (flags: number) =>
    loosePiece(
      Buffer.from('APETAGEX'),
      littleEndian32(1000 * version, body.bytes.length + 32, items.length, flags, 0, 0),
    )
  const shown = hasHeader ? 0x80000000 : 0
  return joinPieces([...(hasHeader ? [end(shown | 0x20000000)] : []), body, end(shown)])
}

/** The tags behind the sound of an MP3 file, some of them or none. */
export function someEndTags(dice: Dice, share: number): { piece: Piece; names: string[] } {
  const pieces: Piece[] = []
  const names: string[] = []
  const add = (name: string, piece: Piece) => {
    names.push(name)
    pieces.push(piece)
  }
  if (isChosen(dice, share)) {
    const version = dice.pick([1, 2, 2] as const)
    add(`APEv${version}`, apePiece(dice, version))
  }
  const hasId3v1 = isChosen(dice, share)
  if (hasId3v1 && isChosen(dice, 0.4)) {
    const version = dice.pick([1, 2] as const)
    const bytes = lyrics3Bytes(dice, version)
    add(`Lyrics3v${version}`, keptPiece(`Lyrics3v${version}`, 'end', bytes))
  }
  if (hasId3v1 && isChosen(dice, 0.2)) add('TAG+', keptPiece('TAG+', 'end', enhancedBytes(dice)))
  if (hasId3v1) add('ID3v1', keptPiece('ID3v1', 'end', id3v1Bytes(dice)))
  return { piece: joinPieces(pieces), names }
}

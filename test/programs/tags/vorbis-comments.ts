import type { Dice } from '../hostile/dice.ts'
import {
  bigEndian32,
  joinPieces,
  keptPiece,
  littleEndian32,
  loosePiece,
  type Piece,
} from './pieces.ts'
import { binaryBytes, isChosen, latinWords, legacyText, someOf, someWords } from './texts.ts'

/** The content of a PICTURE block of FLAC. */
export function pictureBlock(dice: Dice, kind: number, length: number): Buffer {
  const type = Buffer.from(dice.pick(['image/png', 'image/jpeg', '-->']))
  const words = Buffer.from(someWords(dice))
  const data = binaryBytes(dice, length)
  return Buffer.concat([
    bigEndian32(kind, type.length),
    type,
    bigEndian32(words.length),
    words,
    bigEndian32(300, 300, 24, 0, data.length),
    data,
  ])
}

interface Comment {
  text: Buffer
  isAsked?: boolean
}

function otherComments(dice: Dice): Comment[] {
  const text = (key: string, value: string | Buffer) => ({
    text: Buffer.concat([Buffer.from(`${key}=`), Buffer.from(value as string)]),
  })
  const all = [
    text('TITLE', someWords(dice)),
    text('artist', someWords(dice)),
    text('ARTIST', someWords(dice)),
    text('Album', latinWords(dice)),
    text('ALBUM', legacyText(dice)),
    text('GENRE', legacyText(dice)),
    text('DATE', '1996-05'),
    text('COMPOSER', ''),
    text('DESCRIPTION', someWords(dice)),
    text('comment:eng', someWords(dice)),
    text('LYRICS', `${someWords(dice)}\n`.repeat(30)),
    text('CHAPTER001', '00:00:00.000'),
    text('CHAPTER001NAME', 'one'),
    text('x y', 'a=b=c'),
    text('', 'no name'),
    { text: Buffer.from('no equals sign') },
    { text: Buffer.alloc(0) },
    { text: Buffer.from([0xff, 0xfe, 0x3d, 0xff]) },
    text('METADATA_BLOCK_PICTURE', pictureBlock(dice, 3, 500).toString('base64')),
    text('COVERART', dice.bytes(90).toString('base64')),
    text('ENCODER', 'x 1.0'),
    text('TEMPO', '99'),
    text('KEY', 'A minor'),
  ]
  return someOf(dice, all, dice.between(0, 14))
}

function askedComments(dice: Dice): Comment[] {
  const all = ['BPM=99', 'bpm=98.5', 'Comment=old', 'COMMENT=older', 'initialkey=8A', 'MOOD=sad']
  const gains = ['replaygain_track_gain=-1.00 dB', 'REPLAYGAIN_ALBUM_PEAK=1', 'R128_TRACK_GAIN=17']
  const chosen = someOf(dice, [...all, ...gains], dice.pick([0, 0, 1, 3]))
  return chosen.map((text) => ({ text: Buffer.from(text), isAsked: true }))
}

/** The comments of a file: vendor, number of them, each with its size before it. */
export function commentsPiece(dice: Dice, hugePicture = 0): Piece {
  const comments = [...otherComments(dice), ...askedComments(dice)]
  if (hugePicture > 0) {
    const picture = pictureBlock(dice, 3, hugePicture).toString('base64')
    comments.push({ text: Buffer.from(`METADATA_BLOCK_PICTURE=${picture}`) })
  }
  const pieces = someOf(dice, comments, comments.length).map(({ text, isAsked }) => {
    const bytes = Buffer.concat([littleEndian32(text.length), text])
    const name = `comment ${text.subarray(0, 24).toString('latin1')}`
    return isAsked ? loosePiece(bytes) : keptPiece(name, 'comments', bytes)
  })
  const vendor = dice.pick(['', 'reference libFLAC 1.4.3 20230623', 'Xiph.Org libVorbis I', 'ÿ'])
  const words = Buffer.from(vendor, isChosen(dice, 0.5) ? 'latin1' : 'utf8')
  return joinPieces([
    keptPiece('vendor', 'comments', Buffer.concat([littleEndian32(words.length), words])),
    loosePiece(littleEndian32(comments.length)),
    ...pieces,
  ])
}

import type { Dice } from '../hostile/dice.ts'
import type { Mp4Box } from './mp4-boxes.ts'
import { bigEndian32, joinPieces, keptPiece, loosePiece, type Piece } from './pieces.ts'
import { binaryBytes, isChosen, legacyText, someOf, someWords } from './texts.ts'

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([bigEndian32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

function holder(type: string, head: Buffer, inside: Piece): Piece {
  const size = bigEndian32(8 + head.length + inside.bytes.length)
  return joinPieces([loosePiece(size, Buffer.from(type, 'latin1'), head), inside])
}

const dataBox = (kind: number, value: Uint8Array) => box('data', bigEndian32(kind, 0), value)

function freeForm(mean: string, name: string, ...data: readonly Buffer[]): Buffer {
  const texts = [
    box('mean', bigEndian32(0), Buffer.from(mean)),
    box('name', bigEndian32(0), Buffer.from(name)),
  ]
  return box('----', ...texts, ...data)
}

function otherItems(dice: Dice): Buffer[] {
  const text = (type: string) =>
    box(type, dataBox(1, isChosen(dice, 0.2) ? legacyText(dice) : Buffer.from(someWords(dice))))
  const cover = () => dataBox(dice.pick([13, 14, 0]), binaryBytes(dice, dice.pick([50, 9000])))
  const all = [
    ...['\xa9nam', '\xa9ART', '\xa9alb', '\xa9wrt', '\xa9too', 'aART', '\xa9lyr', 'desc'].map(text),
    box('\xa9gen', dataBox(2, Buffer.from('Рок', 'utf16le').swap16())),
    box('\xa9grp', dataBox(1, Buffer.from('one')), dataBox(1, Buffer.from('two'))),
    box('covr', cover()),
    box('covr', cover(), box('name', bigEndian32(0), Buffer.from('a.jpg')), cover(), cover()),
    box('trkn', dataBox(0, Buffer.from([0, 0, 0, 3, 0, 12, 0, 0]))),
    box('disk', dataBox(0, Buffer.from([0, 0, 0, 1, 0, 2]))),
    box('gnre', dataBox(0, Buffer.from([0, 18]))),
    box('cpil', dataBox(21, Buffer.of(1))),
    box('stik', dataBox(21, Buffer.of(2))),
    box('plID', dataBox(21, dice.bytes(8))),
    box('xyz ', dataBox(0, dice.bytes(20))),
    box('\xa9xyz', Buffer.from('no data box')),
    box('xid ', Buffer.alloc(0)),
    freeForm('com.apple.iTunes', 'iTunNORM', dataBox(1, Buffer.from(' 000002A1 0000031C'))),
    freeForm(
      'com.apple.iTunes',
      'ARTISTS',
      dataBox(1, Buffer.from('A')),
      dataBox(1, Buffer.from('B')),
    ),
    freeForm('com.apple.iTunes', 'DISCSUBTITLE', dataBox(1, legacyText(dice))),
    freeForm('org.example', 'bpm', dataBox(1, Buffer.from('77'))),
    freeForm('com.apple.iTunes', 'cdec', dataBox(0, dice.bytes(30))),
  ]
  return someOf(dice, all, dice.between(0, 12))
}

function askedItems(dice: Dice): Buffer[] {
  const tempo = dice.pick([1, 2, 4])
  const value = Buffer.alloc(tempo)
  value.writeUIntBE(99, 0, tempo)
  const own = (name: string) =>
    freeForm('com.apple.iTunes', name, dataBox(1, Buffer.from('-1.00 dB')))
  const all = [
    box('tmpo', dataBox(dice.pick([21, 0]), value)),
    box('\xa9cmt', dataBox(1, Buffer.from('old'))),
    own('replaygain_track_gain'),
    own('REPLAYGAIN_TRACK_PEAK'),
    own('initialkey'),
    own('MOOD'),
  ]
  return someOf(dice, all, dice.pick([0, 0, 1, 3]))
}

function itemList(dice: Dice): Piece {
  const kept = otherItems(dice).map((bytes) => {
    const type = bytes.toString('latin1', 4, 8)
    return keptPiece(`item ${type}`, 'ilst', bytes)
  })
  const asked = askedItems(dice).map((bytes) => loosePiece(bytes))
  const free = isChosen(dice, 0.1) ? [loosePiece(box('free', Buffer.alloc(20)))] : []
  const all = [...kept, ...asked, ...free]
  return holder('ilst', Buffer.alloc(0), joinPieces(someOf(dice, all, all.length)))
}

/** The box of iTunes' tags. */
function metaBox(dice: Dice, names: string[]): Piece {
  const handler = box('hdlr', bigEndian32(0, 0), Buffer.from('mdirappl'), Buffer.alloc(9))
  const isUnversioned = isChosen(dice, 0.1)
  if (isUnversioned) names.push('meta without version')
  const free = () => loosePiece(box('free', Buffer.alloc(dice.pick([0, 8, 200, 2048]))))
  const inside = [keptPiece('hdlr', 'udta', handler)]
  if (isChosen(dice, 0.1)) inside.push(free())
  inside.push(itemList(dice))
  if (isChosen(dice, 0.5)) {
    names.push('free in meta')
    inside.push(free())
  }
  if (isChosen(dice, 0.05))
    inside.push(keptPiece('xml', 'udta', box('xml ', bigEndian32(0), Buffer.from('<a/>'))))
  return holder('meta', Buffer.alloc(isUnversioned ? 0 : 4), joinPieces(inside))
}

/** Chapters as Nero wrote them; times in tenths of microseconds. */
function neroChapters(dice: Dice, version: 0 | 1): Buffer {
  const count = dice.between(1, 5)
  const chapters = Array.from({ length: count }, (_, i) => {
    const title = Buffer.from(`chapter ${i} ${someWords(dice)}`)
    return Buffer.concat([bigEndian32(0, i * 2_000_000), Buffer.of(title.length), title])
  })
  const head = version === 1 ? Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]) : Buffer.alloc(4)
  return box('chpl', head, Buffer.of(count), ...chapters)
}

/** The texts of QuickTime, which stand in udta itself. */
function quickTimeText(dice: Dice, type: string): Buffer {
  const text = Buffer.from(someWords(dice))
  const head = Buffer.alloc(4)
  head.writeUInt16BE(text.length)
  return box(type, head, text)
}

/** The tags of QuickTime whose names stand in a list of keys. */
export function keyedMeta(dice: Dice): Mp4Box {
  const key = Buffer.from('com.apple.quicktime.title')
  const keys = box('keys', bigEndian32(0, 1), bigEndian32(8 + key.length), Buffer.from('mdta'), key)
  const handler = box('hdlr', bigEndian32(0, 0), Buffer.from('mdta'), Buffer.alloc(13))
  const item = box('\0\0\0\x01', dataBox(1, Buffer.from(someWords(dice))))
  return { type: 'meta', content: Buffer.concat([handler, keys, box('ilst', item)]) }
}

/** The box of what users say of a file, in the order of chance. */
export function udtaPiece(
  dice: Dice,
  { hasChapters, isQuickTime }: { hasChapters: boolean; isQuickTime: boolean },
  names: string[],
): Piece {
  const pieces: Piece[] = []
  if (isChosen(dice, isQuickTime ? 0.3 : 0.85)) pieces.push(metaBox(dice, names))
  else names.push('no meta')
  if (hasChapters) {
    const version = dice.pick([0, 1, 1] as const)
    names.push(`chpl ${version}`)
    pieces.push(keptPiece('chpl', 'udta', neroChapters(dice, version)))
  }
  if (isQuickTime) {
    for (const type of someOf(
      dice,
      ['\xa9nam', '\xa9ART', '\xa9day', '\xa9cmt'],
      dice.between(0, 4),
    ))
      pieces.push(keptPiece(`text ${type}`, 'udta', quickTimeText(dice, type)))
  }
  if (isChosen(dice, 0.15))
    pieces.push(keptPiece('Xtra', 'udta', box('Xtra', binaryBytes(dice, 80))))
  if (isChosen(dice, 0.15))
    pieces.push(keptPiece('unknown box', 'udta', box('zzzz', dice.bytes(25))))
  if (isChosen(dice, 0.15)) pieces.push(loosePiece(box('free', Buffer.alloc(64))))
  const ordered = someOf(dice, pieces, pieces.length)
  if (isChosen(dice, isQuickTime ? 0.7 : 0.1)) {
    names.push('terminator')
    ordered.push(loosePiece(bigEndian32(0)))
  }
  // Parts of one group must come in the order in which they stand.
  return holder('udta', Buffer.alloc(0), joinPieces(ordered))
}

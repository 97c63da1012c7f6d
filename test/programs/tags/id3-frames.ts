import type { Dice } from '../hostile/dice.ts'
import { bigEndian32 } from './pieces.ts'
import { binaryBytes, isChosen, latinWords, legacyText, someOf, someWords } from './texts.ts'

export type Id3Version = 2 | 3 | 4

/** A frame of ID3v2 without its header. */
export interface FrameContent {
  id: string
  content: Buffer
  /** Whether it holds a value that the writer is asked for. */
  isAsked?: boolean
  /** See `KeptPart`. */
  replaceable?: string
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const ZERO = Buffer.alloc(1)

/** The byte that names an encoding, and how texts and their ends are written in it. */
interface TextForm {
  encoding: number
  write(text: string): Buffer
  end: Buffer
}

const TEXT_FORMS = {
  latin1: { encoding: 0, write: latin1, end: ZERO },
  little: {
    encoding: 1,
    write: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    end: Buffer.alloc(2),
  },
  big: {
    encoding: 1,
    write: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    end: Buffer.alloc(2),
  },
  bigUnmarked: {
    encoding: 2,
    write: (text: string) => Buffer.from(text, 'utf16le').swap16(),
    end: Buffer.alloc(2),
  },
  utf8: { encoding: 3, write: (text: string) => Buffer.from(text), end: ZERO },
} satisfies Record<string, TextForm>

function textForm(dice: Dice, version: Id3Version): TextForm {
  const { latin1: latin, little, big, bigUnmarked, utf8 } = TEXT_FORMS
  return dice.pick(version === 4 ? [latin, little, big, bigUnmarked, utf8] : [latin, little, big])
}

function wordsFor(dice: Dice, form: TextForm): string {
  return form.encoding === 0 ? latinWords(dice) : someWords(dice)
}

function textContent(dice: Dice, version: Id3Version): Buffer {
  if (isChosen(dice, 0.2)) {
    // Latin-1 or UTF-8 by its name, another encoding by its bytes.
    const named = version === 4 ? dice.pick([0, 3]) : 0
    return Buffer.concat([Buffer.of(named), legacyText(dice)])
  }
  const form = textForm(dice, version)
  const values = Array.from({ length: isChosen(dice, 0.2) ? 3 : 1 }, () => wordsFor(dice, form))
  const parts = values.flatMap((text, i) =>
    i > 0 ? [form.end, form.write(text)] : [form.write(text)],
  )
  const end = isChosen(dice, 0.3) ? form.end : Buffer.alloc(0)
  return Buffer.concat([Buffer.of(form.encoding), ...parts, end])
}

function describedContent(dice: Dice, version: Id3Version, description: string, value: string) {
  const form = textForm(dice, version)
  const isLatin = (text: string) => [...text].every((sign) => (sign.codePointAt(0) ?? 0) < 256)
  const safe = form.encoding === 0 && !isLatin(value) ? 'plain' : value
  return Buffer.concat([
    Buffer.of(form.encoding),
    form.write(description),
    form.end,
    form.write(safe),
  ])
}

function spokenContent(
  dice: Dice,
  version: Id3Version,
  [language, description, text]: readonly [string, string, string],
): Buffer {
  const described = describedContent(dice, version, description, text)
  return Buffer.concat([described.subarray(0, 1), latin1(language), described.subarray(1)])
}

function pictureContent(dice: Dice, version: Id3Version, kind: number): Buffer {
  const data = binaryBytes(dice, dice.pick([0, 90, 300, 5000, 20_000]))
  const type = version === 2 ? latin1(dice.pick(['PNG', 'JPG'])) : latin1('image/jpeg\0')
  return Buffer.concat([ZERO, type, Buffer.of(kind), latin1(dice.pick(['', 'front'])), ZERO, data])
}

function chapterContent(dice: Dice, version: Id3Version, name: string): Buffer {
  const title = textContent(dice, version)
  const head = Buffer.concat([latin1('TIT2'), bigEndian32(title.length), Buffer.alloc(2)])
  const times = bigEndian32(0, dice.between(100, 900), 0xffffffff, 0xffffffff)
  // Sizes below 128 are the same in versions 3 and 4.
  const inner = title.length < 128 ? [head, title] : []
  return Buffer.concat([latin1(`${name}\0`), times, ...inner])
}

type FrameMaker = (dice: Dice, version: Id3Version) => FrameContent[]

/** A frame whose id has three letters in version 2; no id: that version has no such frame. */
const frame =
  (id: string, oldId: string | undefined, content: (dice: Dice, version: Id3Version) => Buffer) =>
  (dice: Dice, version: Id3Version): FrameContent[] => {
    const chosen = version === 2 ? oldId : id
    return chosen === undefined ? [] : [{ id: chosen, content: content(dice, version) }]
  }

const text = (id: string, oldId?: string) => frame(id, oldId, textContent)
const binary = (id: string, oldId: string | undefined, lengths: readonly number[]) =>
  frame(id, oldId, (dice) => binaryBytes(dice, dice.pick(lengths)))

const COMMENT = (version: Id3Version) => (version === 2 ? 'COM' : 'COMM')
const DESCRIBED = (version: Id3Version) => (version === 2 ? 'TXX' : 'TXXX')

/** All frames that the writer is not asked for. */
const OTHER_FRAMES: readonly FrameMaker[] = [
  text('TIT2', 'TT2'),
  text('TPE1', 'TP1'),
  text('TPE2', 'TP2'),
  text('TALB', 'TAL'),
  text('TCOM', 'TCM'),
  text('TCON', 'TCO'),
  text('TENC', 'TEN'),
  text('TSRC', 'TRC'),
  text('TCMP', 'TCP'),
  text('TXYZ', 'TXY'),
  text('XSOP'),
  frame('TYER', 'TYE', () => latin1('\x001996')),
  frame('TDRC', undefined, () => latin1('\x001996-05-01')),
  frame('TRCK', 'TRK', () => latin1('\x003/12')),
  frame('TCON', 'TCO', () => latin1('\0(17)(6)Rock')),
  frame('TXXX', 'TXX', (dice, version) =>
    describedContent(
      dice,
      version,
      dice.pick(['mine', 'MusicBrainz Album Id', '']),
      someWords(dice),
    ),
  ),
  (dice, version) =>
    ['one', 'two'].map((value) => ({
      id: DESCRIBED(version),
      content: describedContent(dice, version, 'twice', value),
    })),
  (dice, version) =>
    ['iTunNORM', 'ID3v1 Comment', 'Songs-DB_Custom1'].map((description) => ({
      id: COMMENT(version),
      content: spokenContent(dice, version, ['eng', description, latinWords(dice)]),
    })),
  frame('USLT', 'ULT', (dice, version) =>
    spokenContent(dice, version, ['deu', '', `${someWords(dice)}\n`.repeat(dice.between(1, 40))]),
  ),
  frame('SYLT', 'SLT', (dice) =>
    Buffer.concat([
      latin1('\0eng\x02\x01words\0'),
      latin1('la\0'),
      bigEndian32(dice.between(0, 99)),
    ]),
  ),
  frame('APIC', 'PIC', (dice, version) => pictureContent(dice, version, 3)),
  (dice, version) =>
    [3, 4, 0].map((kind) => ({
      id: version === 2 ? 'PIC' : 'APIC',
      content: pictureContent(dice, version, kind),
    })),
  frame('GEOB', 'GEO', (dice) =>
    Buffer.concat([latin1('\0application/x\0name.bin\0Serato Markers_\0'), binaryBytes(dice, 400)]),
  ),
  frame('PRIV', undefined, (dice) =>
    Buffer.concat([latin1('www.amazon.com\0'), binaryBytes(dice, dice.between(0, 300))]),
  ),
  frame('UFID', 'UFI', (dice) =>
    Buffer.concat([latin1('http://musicbrainz.org\0'), dice.bytes(36)]),
  ),
  frame('POPM', 'POP', () => latin1('Windows Media Player 9 Series\0\xc4\0\0\0\x07')),
  frame('PCNT', 'CNT', () => bigEndian32(12)),
  (dice, version) => {
    if (version === 2) return []
    const ids = ['ch0', 'ch1']
    const contents = Buffer.concat([latin1('toc\0\x03\x02'), ...ids.map((id) => latin1(`${id}\0`))])
    return [
      ...ids.map((id) => ({ id: 'CHAP', content: chapterContent(dice, version, id) })),
      { id: 'CTOC', content: contents },
    ]
  },
  binary('RVAD', 'RVA', [10]),
  frame('RVA2', undefined, () => latin1('track\0\x01\xfe\x00\x10\x7f\xff')),
  frame('ETCO', 'ETC', () => latin1('\x02\x03\0\0\0\x10')),
  binary('MCDI', 'MCI', [40, 804]),
  binary('EQUA', 'EQU', [11]),
  binary('RGAD', undefined, [8]),
  binary('XXXX', 'XXX', [1, 60, 500]),
  binary('NCON', 'NCO', [200]),
  frame('WXXX', 'WXX', (dice, version) =>
    Buffer.concat([describedContent(dice, version, 'site', ''), latin1('http://a.example/')]),
  ),
  frame('WOAR', 'WAR', () => latin1('http://b.example/ÿ')),
  frame('USER', undefined, () => latin1('\0engNo copies')),
  frame('OWNE', undefined, () => latin1('\0EUR1.00\x0020260101shop')),
  frame('TOPE', 'TOA', () => Buffer.alloc(0)),
  frame('TPUB', 'TPB', () => ZERO),
]

/** Old values of what is asked for, in the spellings of several programs. */
function askedFrames(dice: Dice, version: Id3Version): FrameContent[] {
  const isOld = version === 2
  const ids = isOld ? ['TBP', 'TKE'] : version === 4 ? ['TBPM', 'TKEY', 'TMOO'] : ['TBPM', 'TKEY']
  const values = ids.map((id) => ({ id, content: latin1(`\0${dice.pick(['99', '8A', ''])}`) }))
  const described = [
    'replaygain_track_gain',
    'REPLAYGAIN_TRACK_PEAK',
    'ReplayGain_Album_Gain',
    'MOOD',
  ].map((name) => ({
    id: DESCRIBED(version),
    content: describedContent(dice, version, name, '-3.00 dB'),
  }))
  const all = [...values, ...described, ...(isChosen(dice, 0.3) ? values.slice(0, 1) : [])]
  return someOf(dice, all, dice.between(0, 4)).map((one) => ({ ...one, isAsked: true }))
}

/** Comments without a description, of which one is the comment. */
function commentFrames(dice: Dice, version: Id3Version): FrameContent[] {
  const languages = someOf(dice, ['eng', 'deu', 'XXX', '\0\0\0'], dice.pick([0, 0, 1, 1, 3]))
  return languages.map((language) => ({
    id: COMMENT(version),
    content: spokenContent(dice, version, [language, '', someWords(dice)]),
    replaceable: 'comment',
  }))
}

/** Frames for one tag, in any order. */
export function someFrames(dice: Dice, version: Id3Version): FrameContent[] {
  const others = someOf(dice, OTHER_FRAMES, dice.between(0, 14)).flatMap((make) =>
    make(dice, version),
  )
  const all = [...others, ...askedFrames(dice, version), ...commentFrames(dice, version)]
  return someOf(dice, all, all.length)
}

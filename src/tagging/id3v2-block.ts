import { decodeUtf16, readGuessedText } from '../audio/tag-text.ts'
import { bigEndianBytes, joinBytes, type Splice, spliceBytes } from './byte-edit.ts'
import {
  type Id3Frame,
  type Id3Layout,
  plainContent,
  type SizeForm,
  walkId3v2,
} from './id3v2-walk.ts'
import { refuseEdit, SPARE_BYTES, type TagBlock, type TagTexts } from './tag-block.ts'

/** ID3v2.3 is the version that most programs read. */
const EMPTY_TAG = Uint8Array.of(0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0)
/** Four bytes of seven bits. */
const MAX_ID3_BYTES = 2 ** 28 - 1

/** By version; other values are described texts. */
const OWN_FRAMES: Readonly<Record<string, Partial<Record<2 | 3 | 4, string>>>> = {
  BPM: { 2: 'TBP', 3: 'TBPM', 4: 'TBPM' },
  INITIALKEY: { 2: 'TKE', 3: 'TKEY', 4: 'TKEY' },
  MOOD: { 4: 'TMOO' },
  COMMENT: { 2: 'COM', 3: 'COMM', 4: 'COMM' },
}
/** iTunes writes ids of ID3v2.2 in later versions. */
const EARLIER_IDS: Readonly<Record<string, string>> = {
  TBPM: 'TBP',
  TKEY: 'TKE',
  COMM: 'COM',
  TXXX: 'TXX',
}

/** Where they differ from ID3v2.3. */
const NAME_IDS: Readonly<Record<2 | 3 | 4, Readonly<Record<string, string>>>> = {
  2: { TIT2: 'TT2', TPE1: 'TP1', TALB: 'TAL', TPE2: 'TP2', TCON: 'TCO', TYER: 'TYE', TRCK: 'TRK' },
  3: {},
  4: { TYER: 'TDRC' },
}

/** ID3v2.2 to 2.4 (id3.org); frames stay byte for byte unless they change. */
export class Id3v2Block implements TagBlock {
  readonly #tag: Uint8Array
  readonly #layout: Id3Layout

  /** @throws {DecodeError} when its frames cannot be told apart with certainty */
  constructor(tag: Uint8Array = EMPTY_TAG) {
    this.#tag = tag
    this.#layout = walkId3v2(tag)
  }

  /** Readers of an empty tag look at other tags. */
  get isEmpty(): boolean {
    return this.#layout.frames.length === 0
  }

  readText(name: string): string | undefined {
    const [frame] = this.#framesOf(name)
    return frame && this.#textOf(frame)
  }

  withTexts(texts: TagTexts): Uint8Array {
    const { framesStart } = this.#layout
    const splices: Splice[] = []
    for (const [name, text] of texts) {
      const [first, ...repeated] = this.#framesOf(name)
      const bytes = text === undefined ? new Uint8Array(0) : this.#frameOf(name, text, first)
      if (first) splices.push({ start: first.start, end: first.end, bytes })
      else splices.push({ start: framesStart, end: framesStart, bytes })
      // Comments in other languages are other comments.
      if (name === 'COMMENT') continue
      for (const { start, end } of repeated) splices.push({ start, end, bytes: new Uint8Array(0) })
    }
    return this.#resizedTag(splices)
  }

  /** In front, by their ids of ID3v2.3. */
  withFrames(frames: Readonly<Record<string, string>>): Id3v2Block {
    const { framesStart, version } = this.#layout
    const encoded = Object.entries(frames).map(([id, text]) =>
      this.#encodedFrame(NAME_IDS[version][id] ?? id, encodedText(text, version)),
    )
    const bytes = joinBytes(...encoded)
    return new Id3v2Block(this.#resizedTag([{ start: framesStart, end: framesStart, bytes }]))
  }

  /** Sizes and padding are made to fit. */
  #resizedTag(splices: readonly Splice[]): Uint8Array {
    const { paddingStart, end, hasFooter, extendedHeader } = this.#layout
    const growth = splices.reduce(
      (sum, { start, end, bytes }) => sum + bytes.length - (end - start),
      0,
    )
    const padding = end - paddingStart
    // A tag with a footer has no padding (ID3v2.4 structure, 3.4).
    const spare = hasFooter ? 0 : padding >= growth ? padding - growth : SPARE_BYTES
    const allSplices = [...splices, { start: paddingStart, end, bytes: new Uint8Array(spare) }]
    const size = end - 10 + growth + spare - padding
    if (size > MAX_ID3_BYTES) refuseEdit('ID3 tag', 'would get longer than the format allows')
    const sizeBytes = sizeIn('synchsafe', size)
    allSplices.push({ start: 6, end: 10, bytes: sizeBytes })
    if (hasFooter) allSplices.push({ start: end + 6, end: end + 10, bytes: sizeBytes })
    if (extendedHeader?.hasPaddingSize) {
      const start = extendedHeader.start + 6
      allSplices.push({ start, end: start + 4, bytes: bigEndianBytes(spare, 4) })
    }
    return spliceBytes(this.#tag, allSplices)
  }

  #framesOf(name: string): Id3Frame[] {
    const { frames, version } = this.#layout
    const id = OWN_FRAMES[name]?.[version]
    const isNamed = (frame: Id3Frame, frameId: string) =>
      frame.id === frameId || frame.id === EARLIER_IDS[frameId]
    if (id !== undefined && name !== 'COMMENT') return frames.filter((frame) => isNamed(frame, id))
    if (id !== undefined) {
      return frames.filter(
        (frame) => isNamed(frame, id) && this.#descriptionOf(frame, 4).text === '',
      )
    }
    return frames.filter(
      (frame) =>
        isNamed(frame, version === 2 ? 'TXX' : 'TXXX') &&
        this.#descriptionOf(frame, 1).text.toUpperCase() === name,
    )
  }

  #textOf(frame: Id3Frame): string {
    const content = this.#contentOf(frame)
    const start = /^TXXX?$/.test(frame.id)
      ? this.#descriptionOf(frame, 1).end
      : /^COMM?$/.test(frame.id)
        ? this.#descriptionOf(frame, 4).end
        : 1
    const text = textOfFrame(content[0] as number, content.subarray(start))
    let end = text.length
    while (end > 0 && text[end - 1] === '\0') end--
    return text.slice(0, end).replaceAll('\0', '; ')
  }

  #descriptionOf(frame: Id3Frame, start: number): { text: string; end: number } {
    const content = this.#contentOf(frame)
    const encoding = content[0] as number
    const width = encoding === 1 || encoding === 2 ? 2 : 1
    let end = start
    while (end < content.length && !isNul(content, end, width)) end += width
    return { text: textOfFrame(encoding, content.subarray(start, end)), end: end + width }
  }

  /** Of a frame that may be changed. */
  #contentOf(frame: Id3Frame): Uint8Array {
    const content = plainContent(frame, this.#layout.version)
    return content ?? refuseEdit('ID3 tag', `has an encrypted or damaged ${frame.id} frame`)
  }

  #frameOf(name: string, text: string, replaced: Id3Frame | undefined): Uint8Array {
    const { version } = this.#layout
    const encoded = encodedText(text, version)
    const id = OWN_FRAMES[name]?.[version]
    if (name === 'COMMENT') {
      const language = replaced
        ? this.#contentOf(replaced).subarray(1, 4)
        : Uint8Array.of(0x65, 0x6e, 0x67)
      const description = encoded[0] === 1 ? Uint8Array.of(0xff, 0xfe, 0, 0) : Uint8Array.of(0)
      const content = [encoded.subarray(0, 1), language, description, encoded.subarray(1)]
      return this.#encodedFrame(id as string, joinBytes(...content))
    }
    if (id !== undefined) return this.#encodedFrame(id, encoded)
    const spelling = replaced ? this.#descriptionOf(replaced, 1).text : name
    const content = encodedText(`${spelling}\0${text}`, version)
    return this.#encodedFrame(version === 2 ? 'TXX' : 'TXXX', content)
  }

  #encodedFrame(id: string, content: Uint8Array): Uint8Array {
    const { version, frames, isUnsynchronised, isFalselyMarked } = this.#layout
    const usualForm: SizeForm = version === 4 ? 'synchsafe' : 'plain'
    // Readers choose one form for the whole tag.
    const form = frames.find(({ sizeForm }) => sizeForm !== usualForm)?.sizeForm ?? usualForm
    const size = version === 2 ? bigEndianBytes(content.length, 3) : sizeIn(form, content.length)
    const flags = new Uint8Array(version === 2 ? 0 : 2)
    const frame = joinBytes(Buffer.from(id, 'latin1'), size, flags, content)
    if (isFalselyMarked && frame.includes(0xff))
      refuseEdit('ID3 tag', 'is marked as unsynchronised')
    return isUnsynchronised ? unsynchronisedBytes(frame) : frame
  }
}

function sizeIn(form: SizeForm, size: number): Uint8Array {
  if (form === 'plain') return bigEndianBytes(size, 4)
  return Uint8Array.from([21, 14, 7, 0], (shift) => (size >> shift) & 127)
}

/** Many readers take Latin-1 beyond ASCII for a code page. */
function encodedText(text: string, version: 2 | 3 | 4): Uint8Array {
  if (/^[\0-\x7f]*$/.test(text)) return joinBytes(Uint8Array.of(0), Buffer.from(text, 'latin1'))
  if (version === 4) return joinBytes(Uint8Array.of(3), Buffer.from(text))
  // Each text of a described frame has its own byte order mark.
  const markedText = text.split('\0').map((segment) => `\ufeff${segment}`)
  return joinBytes(Uint8Array.of(1), Buffer.from(markedText.join('\0'), 'utf16le'))
}

function textOfFrame(encoding: number, bytes: Uint8Array): string {
  if (encoding !== 1 && encoding !== 2) return readGuessedText(bytes)
  return decodeUtf16(bytes, encoding === 1).replaceAll('\ufeff', '')
}

function isNul(bytes: Uint8Array, position: number, width: number): boolean {
  return bytes[position] === 0 && (width === 1 || bytes[position + 1] === 0)
}

/** Bytes that could be taken for MPEG audio get a zero (ID3v2.3, 5). */
function unsynchronisedBytes(bytes: Uint8Array): Uint8Array {
  const inserted: number[] = []
  for (const [i, byte] of bytes.entries()) {
    inserted.push(byte)
    const nextByte = bytes[i + 1] ?? 0
    if (byte === 0xff && (nextByte === 0 || nextByte >= 0xe0)) inserted.push(0)
  }
  return Uint8Array.from(inserted)
}

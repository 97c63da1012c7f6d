import { inflateSync } from 'node:zlib'
import { latin1, viewOf } from './bytes.ts'
import { MAX_TAG_VALUES, nameOfField, type TagNames } from './tag-names.ts'
import {
  byteOrder,
  cleanText,
  cutAtNul,
  decodeUtf16,
  guessText,
  type ReadText,
} from './tag-text.ts'

const MAX_NAME_FRAMES = 8 * MAX_TAG_VALUES
const MAX_INFLATED_FRAME = 65_536

/** Not split at "/": before ID3v2.4 a NUL ends a name. */
export function readId3v2Names(tag: Uint8Array): TagNames {
  const names: TagNames = {}
  const major = tag[3] ?? 0
  const flags = tag[5] ?? 0
  if (major < 2 || major > 4) return names
  // In ID3v2.2 this flag means a compression that was never specified.
  if (major === 2 && (flags & 0x40) !== 0) return names
  let body = tag.subarray(10)
  const unsynchronised = (flags & 0x80) !== 0
  if (unsynchronised && major < 4) body = removeUnsynchronisation(body)
  const texts: { field: keyof TagNames; content: Uint8Array }[] = []
  for (const frame of readFrames(body, major, (flags & 0x40) !== 0)) {
    // iTunes writes the ids of ID3v2.2 in later versions too.
    const field = nameOfField('ID3v2.4', frame.id) ?? nameOfField('ID3v2.2', frame.id)
    if (!field || texts.length >= MAX_NAME_FRAMES) continue
    const content = frameContent(frame, major, unsynchronised)
    if (content) texts.push({ field, content })
  }
  const readText = guessText(texts.flatMap(({ content }) => narrowParts(content)))
  for (const { field, content } of texts) {
    const earlier = names[field] ?? []
    if (earlier.length >= MAX_TAG_VALUES) continue
    const values = frameValues(content, readText)
    const nameValues = major === 4 ? values.slice(0, MAX_TAG_VALUES) : values.slice(0, 1)
    if (nameValues.length > 0) names[field] = [...earlier, ...nameValues]
  }
  return names
}

interface TagFrame {
  id: string
  flags: number
  bytes: Uint8Array
}

function* readFrames(body: Uint8Array, major: number, extended: boolean): Generator<TagFrame> {
  const view = viewOf(body)
  const head = major === 2 ? 6 : 10
  let offset = 0
  // Some writers set this flag but write no extended header.
  if (extended && major > 2 && body.length >= 4 && !isFrame(body, 0)) {
    offset = major === 3 ? 4 + view.getUint32(0) : readSynchsafe(view, 0)
  }
  while (offset + head <= body.length && body[offset] !== 0) {
    const id = latin1(body, offset, major === 2 ? 3 : 4).replace(/\0$/, '')
    const size =
      major === 2 ? view.getUint32(offset + 2) & 0xffffff : frameSize(view, offset, major)
    const start = offset + head
    const flags = major === 2 ? 0 : body[offset + 9]!
    yield { id, flags, bytes: body.subarray(start, Math.min(start + size, body.length)) }
    offset = start + size
  }
}

/** ID3v2.4 has seven bits in a byte, but iTunes wrote eight for years. */
function frameSize(view: DataView, offset: number, major: number): number {
  const plain = view.getUint32(offset + 4)
  if (major === 3 || (plain & 0x80808080) !== 0) return plain
  const safe = readSynchsafe(view, offset + 4)
  const body = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const fitsNextFrame = (size: number) => {
    const next = offset + 10 + size
    return next === body.length || (next < body.length && (body[next] === 0 || isFrame(body, next)))
  }
  return !fitsNextFrame(safe) && fitsNextFrame(plain) ? plain : safe
}

function isFrame(body: Uint8Array, offset: number): boolean {
  return /^[A-Z][A-Z0-9]{2}[A-Z0-9\0]/.test(latin1(body, offset, 4))
}

function frameContent(
  { bytes, flags }: TagFrame,
  major: number,
  isUnsynchronised: boolean,
): Uint8Array | undefined {
  if (major === 2) return bytes
  const hasFlag = (old: number, now: number) => (flags & (major === 3 ? old : now)) !== 0
  if (hasFlag(0x40, 0x04)) return undefined // encrypted
  const group = hasFlag(0x20, 0x40) ? 1 : 0
  const inflatedLength = hasFlag(0x80, 0x01) ? 4 : 0
  let content = bytes.subarray(group + inflatedLength)
  if (major === 4 && (isUnsynchronised || hasFlag(0, 0x02)))
    content = removeUnsynchronisation(content)
  if (!hasFlag(0x80, 0x08)) return content
  try {
    return inflateSync(content, { maxOutputLength: MAX_INFLATED_FRAME })
  } catch {
    return undefined
  }
}

/** A byte for the encoding, then texts separated by NUL. */
function frameValues(content: Uint8Array, read: ReadText): string[] {
  const encoding = content[0]!
  const bytes = content.subarray(1)
  const wide = isWide(content)
  const values: string[] = []
  let little = encoding === 1 && looksLittleEndian(bytes)
  let count = 0
  for (const bytesOfValue of splitAtNul(encoding > 3 ? content : bytes, wide ? 2 : 1)) {
    // Empty ones count too, because a frame may hold millions.
    if (++count > MAX_TAG_VALUES) break
    if (byteOrder(bytesOfValue)) little = bytesOfValue[0] === 0xff
    const text = cleanText(wide ? decodeUtf16(bytesOfValue, little) : read(bytesOfValue))
    if (text !== undefined) values.push(text)
  }
  return values
}

function isWide(content: Uint8Array): boolean {
  const encoding = content[0]
  return encoding === 1 || encoding === 2 || byteOrder(content.subarray(1)) !== undefined
}

/** The values of a text frame that are in no UTF-16. */
function narrowParts(content: Uint8Array): Uint8Array[] {
  if (isWide(content)) return []
  const narrow: Uint8Array[] = []
  for (const bytesOfValue of splitAtNul(content[0]! > 3 ? content : content.subarray(1), 1)) {
    if (narrow.push(bytesOfValue) >= MAX_TAG_VALUES) break
  }
  return narrow
}

/** Without a mark, the zero bytes of Latin letters come second in little-endian. */
function looksLittleEndian(bytes: Uint8Array): boolean {
  let balance = 0
  for (let offset = 0; offset + 1 < bytes.length; offset += 2) {
    if (bytes[offset + 1] === 0) balance++
    if (bytes[offset] === 0) balance--
  }
  return balance >= 0
}

function* splitAtNul(bytes: Uint8Array, width: 1 | 2): Generator<Uint8Array> {
  let start = 0
  for (let offset = 0; offset + width <= bytes.length; offset += width) {
    if (bytes[offset] === 0 && (width === 1 || bytes[offset + 1] === 0)) {
      yield bytes.subarray(start, offset)
      start = offset + width
    }
  }
  yield bytes.subarray(start)
}

/** Removes the zero byte after each ff, which keeps players from taking the tag for sound. */
function removeUnsynchronisation(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let filled = 0
  for (let offset = 0; offset < bytes.length; offset++) {
    plain[filled++] = bytes[offset]!
    if (bytes[offset] === 0xff && bytes[offset + 1] === 0) offset++
  }
  return plain.subarray(0, filled)
}

function readSynchsafe(view: DataView, offset: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + (view.getUint8(offset + i) & 127), 0)
}

/** Bytes of an ID3v1 tag, the last ones of a file. */
export const ID3V1_BYTES = 128

/** Fields of 30 bytes whose encoding is not stated. */
export function readId3v1Names(tag: Uint8Array): TagNames {
  const names: TagNames = {}
  if (tag.length !== ID3V1_BYTES || latin1(tag, 0, 3) !== 'TAG') return names
  if (isApeHeader(tag)) return names
  const fields = [3, 33, 63].map((offset) => cutAtNul(tag.subarray(offset, offset + 30)))
  const read = guessText(fields)
  for (const [i, field] of (['title', 'artist', 'release'] as const).entries()) {
    const text = cleanText(read(fields[i]!))
    if (text !== undefined) names[field] = [text]
  }
  return names
}

/** Whether an apparent ID3v1 tag is the second half of "APETAGEX", the header of a small APE tag. */
export function isApeHeader(tag: Uint8Array): boolean {
  return latin1(tag, 0, 8) === 'TAGEX\xd0\x07\0'
}

import { inflateSync } from 'node:zlib'
import { latin1, viewOf } from './bytes.ts'
import { MOST_VALUES, nameIn, type TagNames } from './tag-names.ts'
import { byteOrder, cleanText, guessText, type ReadText, untilNul, utf16 } from './tag-text.ts'

/** The most frames with names that are read. */
const NAMES_OF_TAG = 8 * MOST_VALUES
/** The longest inflated frame, bytes. */
const MOST_INFLATED = 65_536

/**
 * The names in an ID3v2 tag (2.2, 2.3 or 2.4), not split at "/". Only ID3v2.4 has several values; in
 * earlier versions a NUL ends the name.
 *
 * @param tag the tag with its header
 */
export function id3v2Names(tag: Uint8Array): TagNames {
  const names: TagNames = {}
  const major = tag[3] ?? 0
  const flags = tag[5] ?? 0
  if (major < 2 || major > 4) return names
  // In ID3v2.2 this flag means that the tag is compressed, in a way that was never specified.
  if (major === 2 && (flags & 0x40) !== 0) return names
  let body = tag.subarray(10)
  const unsynchronised = (flags & 0x80) !== 0
  if (unsynchronised && major < 4) body = resynchronised(body)
  const texts: { field: keyof TagNames; content: Uint8Array }[] = []
  for (const frame of frames(body, major, (flags & 0x40) !== 0)) {
    // iTunes writes the ids of ID3v2.2 in later versions too.
    const field = nameIn('ID3v2.4', frame.id) ?? nameIn('ID3v2.2', frame.id)
    if (!field || texts.length >= NAMES_OF_TAG) continue
    const content = contentOf(frame, major, unsynchronised)
    if (content) texts.push({ field, content })
  }
  const read = guessText(texts.flatMap(({ content }) => narrowParts(content)))
  for (const { field, content } of texts) {
    const before = names[field] ?? []
    if (before.length >= MOST_VALUES) continue
    const values = valuesOf(content, read)
    const found = major === 4 ? values.slice(0, MOST_VALUES) : values.slice(0, 1)
    if (found.length > 0) names[field] = [...before, ...found]
  }
  return names
}

interface Frame {
  id: string
  flags: number
  bytes: Uint8Array
}

function* frames(body: Uint8Array, major: number, extended: boolean): Generator<Frame> {
  const view = viewOf(body)
  const head = major === 2 ? 6 : 10
  let at = 0
  // Some writers set the flag of the extended header but write none.
  if (extended && major > 2 && body.length >= 4 && !isFrame(body, 0)) {
    at = major === 3 ? 4 + view.getUint32(0) : synchsafe(view, 0)
  }
  while (at + head <= body.length && body[at] !== 0) {
    const id = latin1(body, at, major === 2 ? 3 : 4).replace(/\0$/, '')
    const size = major === 2 ? view.getUint32(at + 2) & 0xffffff : frameSize(view, at, major)
    const start = at + head
    const flags = major === 2 ? 0 : body[at + 9]!
    yield { id, flags, bytes: body.subarray(start, Math.min(start + size, body.length)) }
    at = start + size
  }
}

/** The size of a frame. In ID3v2.4 it has seven bits in a byte, but iTunes wrote eight for years. */
function frameSize(view: DataView, at: number, major: number): number {
  const plain = view.getUint32(at + 4)
  if (major === 3 || (plain & 0x80808080) !== 0) return plain
  const safe = synchsafe(view, at + 4)
  const body = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const ends = (size: number) => {
    const next = at + 10 + size
    return next === body.length || (next < body.length && (body[next] === 0 || isFrame(body, next)))
  }
  return !ends(safe) && ends(plain) ? plain : safe
}

function isFrame(body: Uint8Array, at: number): boolean {
  return /^[A-Z][A-Z0-9]{2}[A-Z0-9\0]/.test(latin1(body, at, 4))
}

function contentOf({ bytes, flags }: Frame, major: number, all: boolean): Uint8Array | undefined {
  if (major === 2) return bytes
  const has = (old: number, now: number) => (flags & (major === 3 ? old : now)) !== 0
  if (has(0x40, 0x04)) return undefined // encrypted
  const group = has(0x20, 0x40) ? 1 : 0
  const inflatedLength = has(0x80, 0x01) ? 4 : 0
  let content = bytes.subarray(group + inflatedLength)
  if (major === 4 && (all || has(0, 0x02))) content = resynchronised(content)
  if (!has(0x80, 0x08)) return content
  try {
    return inflateSync(content, { maxOutputLength: MOST_INFLATED })
  } catch {
    return undefined
  }
}

/** The values of a text frame: a byte for the encoding, then texts separated by NUL. */
function valuesOf(content: Uint8Array, read: ReadText): string[] {
  const encoding = content[0]!
  const bytes = content.subarray(1)
  const wide = isWide(content)
  const values: string[] = []
  let little = encoding === 1 && looksLittle(bytes)
  let count = 0
  for (const part of parts(encoding > 3 ? content : bytes, wide ? 2 : 1)) {
    // Empty ones count too, because a frame may hold millions.
    if (++count > MOST_VALUES) break
    if (byteOrder(part)) little = part[0] === 0xff
    const text = cleanText(wide ? utf16(part, little) : read(part))
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
  const found: Uint8Array[] = []
  for (const part of parts(content[0]! > 3 ? content : content.subarray(1), 1)) {
    if (found.push(part) >= MOST_VALUES) break
  }
  return found
}

/** Whether UTF-16 without a byte order mark is little-endian: the zero bytes of Latin letters come second. */
function looksLittle(bytes: Uint8Array): boolean {
  let balance = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + 1] === 0) balance++
    if (bytes[at] === 0) balance--
  }
  return balance >= 0
}

function* parts(bytes: Uint8Array, width: 1 | 2): Generator<Uint8Array> {
  let start = 0
  for (let at = 0; at + width <= bytes.length; at += width) {
    if (bytes[at] === 0 && (width === 1 || bytes[at + 1] === 0)) {
      yield bytes.subarray(start, at)
      start = at + width
    }
  }
  yield bytes.subarray(start)
}

/** Removes the zero byte after each ff, which keeps players from taking the tag for sound. */
function resynchronised(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let filled = 0
  for (let at = 0; at < bytes.length; at++) {
    plain[filled++] = bytes[at]!
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return plain.subarray(0, filled)
}

function synchsafe(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + (view.getUint8(at + i) & 127), 0)
}

/** Bytes of an ID3v1 tag, the last ones of a file. */
export const ID3V1_BYTES = 128

/** The names in an ID3v1 tag: fields of 30 bytes whose encoding is not stated. */
export function id3v1Names(tag: Uint8Array): TagNames {
  const names: TagNames = {}
  if (tag.length !== ID3V1_BYTES || latin1(tag, 0, 3) !== 'TAG') return names
  if (isApeHeader(tag)) return names
  const fields = [3, 33, 63].map((at) => untilNul(tag.subarray(at, at + 30)))
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

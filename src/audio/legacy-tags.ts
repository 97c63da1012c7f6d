import { type ByteSource, latin1, viewOf } from './bytes.ts'
import { ID3V1_BYTES } from './id3.ts'
import { MOST_VALUES, nameIn, type TagNames } from './tag-names.ts'
import { cleanText, guessText, utf8 } from './tag-text.ts'

/** The most comments, or items, that are read. */
const MAX_TEXTS = 10_000

/**
 * A Vorbis comment in UTF-8, as its format demands; undefined where it is so already, or damaged.
 *
 * @param comment vendor, then a list of `NAME=value`
 */
export function utf8Comment(comment: Uint8Array): Uint8Array | undefined {
  const fields = viewOf(comment)
  const texts: Uint8Array[] = []
  let at = 0
  for (let left = 1; left > 0 && at + 4 <= comment.length; left--) {
    const size = fields.getUint32(at, true)
    texts.push(comment.subarray(at + 4, at + 4 + size))
    at += 4 + size
    if (texts.length > 1 || at + 4 > comment.length) continue
    // The number of comments follows the vendor.
    left = 1 + Math.min(MAX_TEXTS, fields.getUint32(at, true))
    at += 4
  }
  if (texts.every((bytes) => utf8(bytes) !== undefined)) return undefined
  const read = guessText(texts)
  const [vendor = Buffer.alloc(0), ...comments] = texts.map((bytes) => Buffer.from(read(bytes)))
  return Buffer.concat([
    ...[count(vendor.length), vendor, count(comments.length)],
    ...comments.flatMap((text) => [count(text.length), text]),
  ])
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Type of a FLAC metadata block that holds comments, and the most blocks that are looked at. */
const VORBIS_COMMENT = 4
const MOST_BLOCKS = 1_000

/** The Vorbis comment of a FLAC file. */
export async function flacComment(source: ByteSource): Promise<Uint8Array | undefined> {
  let isLast = false
  for (let at = 4, blocks = 0; !isLast && at + 4 <= source.size && blocks < MOST_BLOCKS; blocks++) {
    const head = await source.read(at, 4)
    if (head.length < 4) return undefined
    const size = viewOf(head).getUint32(0) & 0xffffff
    if ((head[0]! & 0x7f) === VORBIS_COMMENT) return source.read(at + 4, size)
    isLast = (head[0]! & 0x80) !== 0
    at += 4 + size
  }
  return undefined
}

const APE_FOOTER = 32
/** The largest APE tag that is read; larger ones hold covers. */
const MOST_APE_BYTES = 1_048_576
/** Bits of an item's flags; 0: text. */
const APE_KIND = 6

/** The names in an APE tag at the end of a file, where one of them is no UTF-8. */
export async function legacyApeNames(source: ByteSource): Promise<TagNames> {
  for (const after of [0, ID3V1_BYTES]) {
    const end = source.size - after
    const footer = await source.read(end - APE_FOOTER, APE_FOOTER)
    if (footer.length < APE_FOOTER || latin1(footer, 0, 8) !== 'APETAGEX') continue
    const size = viewOf(footer).getUint32(12, true)
    if (size < APE_FOOTER || size > Math.min(MOST_APE_BYTES, end)) return {}
    return namesIn(await source.read(end - size, size - APE_FOOTER))
  }
  return {}
}

function namesIn(items: Uint8Array): TagNames {
  const fields = viewOf(items)
  const found: { field: keyof TagNames; bytes: Uint8Array }[] = []
  for (let at = 0, read = 0; at + 8 < items.length && read < MAX_TEXTS; read++) {
    const size = fields.getUint32(at, true)
    const flags = fields.getUint32(at + 4, true)
    const end = items.indexOf(0, at + 8)
    if (end < 0) break
    const field = nameIn('APEv2', latin1(items, at + 8, end - at - 8).toUpperCase())
    const bytes = items.subarray(end + 1, end + 1 + size)
    if (field && (flags & APE_KIND) === 0) found.push({ field, bytes })
    at = end + 1 + size
  }
  const texts = found.map(({ bytes }) => bytes)
  if (texts.every((bytes) => utf8(bytes) !== undefined)) return {}
  const read = guessText(texts)
  const names: TagNames = {}
  for (const { field, bytes } of found) {
    // NUL separates values.
    const values = read(bytes).split('\0', MOST_VALUES).map(cleanText)
    names[field] ??= values.filter((value) => value !== undefined)
  }
  return names
}

import { type ByteSource, latin1, viewOf } from './bytes.ts'
import { ID3V1_BYTES } from './id3.ts'
import { MAX_TAG_VALUES, nameOfField, type TagNames } from './tag-names.ts'
import { cleanText, decodeUtf8, guessText } from './tag-text.ts'

const MAX_TEXTS = 10_000

/** Undefined where the comment is UTF-8 already, as its format demands, or damaged. */
export function toUtf8Comment(comment: Uint8Array): Uint8Array | undefined {
  const fields = viewOf(comment)
  const texts: Uint8Array[] = []
  let offset = 0
  for (let remaining = 1; remaining > 0 && offset + 4 <= comment.length; remaining--) {
    const size = fields.getUint32(offset, true)
    texts.push(comment.subarray(offset + 4, offset + 4 + size))
    offset += 4 + size
    if (texts.length > 1 || offset + 4 > comment.length) continue
    // The number of comments follows the vendor.
    remaining = 1 + Math.min(MAX_TEXTS, fields.getUint32(offset, true))
    offset += 4
  }
  if (texts.every((bytes) => decodeUtf8(bytes) !== undefined)) return undefined
  const readText = guessText(texts)
  const [vendor = Buffer.alloc(0), ...comments] = texts.map((bytes) => Buffer.from(readText(bytes)))
  return Buffer.concat([
    ...[littleEndian(vendor.length), vendor, littleEndian(comments.length)],
    ...comments.flatMap((text) => [littleEndian(text.length), text]),
  ])
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Type of a FLAC metadata block that holds comments, and the most blocks that are looked at. */
const FLAC_COMMENT_BLOCK = 4
const MAX_FLAC_BLOCKS = 1_000

export async function readFlacComment(source: ByteSource): Promise<Uint8Array | undefined> {
  let isLast = false
  for (
    let offset = 4, blocks = 0;
    !isLast && offset + 4 <= source.size && blocks < MAX_FLAC_BLOCKS;
    blocks++
  ) {
    const head = await source.read(offset, 4)
    if (head.length < 4) return undefined
    const size = viewOf(head).getUint32(0) & 0xffffff
    if ((head[0]! & 0x7f) === FLAC_COMMENT_BLOCK) return source.read(offset + 4, size)
    isLast = (head[0]! & 0x80) !== 0
    offset += 4 + size
  }
  return undefined
}

const APE_FOOTER = 32
/** Larger ones hold covers. */
const MAX_APE_BYTES = 1_048_576
/** Bits of an item's flags; 0: text. */
const APE_KIND_BITS = 6

/** Undefined fields where all names are UTF-8. */
export async function readLegacyApeNames(source: ByteSource): Promise<TagNames> {
  for (const trailingBytes of [0, ID3V1_BYTES]) {
    const end = source.size - trailingBytes
    const footer = await source.read(end - APE_FOOTER, APE_FOOTER)
    if (footer.length < APE_FOOTER || latin1(footer, 0, 8) !== 'APETAGEX') continue
    const size = viewOf(footer).getUint32(12, true)
    if (size < APE_FOOTER || size > Math.min(MAX_APE_BYTES, end)) return {}
    return apeNames(await source.read(end - size, size - APE_FOOTER))
  }
  return {}
}

function apeNames(itemBytes: Uint8Array): TagNames {
  const fields = viewOf(itemBytes)
  const items: { field: keyof TagNames; bytes: Uint8Array }[] = []
  for (
    let offset = 0, itemCount = 0;
    offset + 8 < itemBytes.length && itemCount < MAX_TEXTS;
    itemCount++
  ) {
    const size = fields.getUint32(offset, true)
    const flags = fields.getUint32(offset + 4, true)
    const end = itemBytes.indexOf(0, offset + 8)
    if (end < 0) break
    const field = nameOfField(
      'APEv2',
      latin1(itemBytes, offset + 8, end - offset - 8).toUpperCase(),
    )
    const bytes = itemBytes.subarray(end + 1, end + 1 + size)
    if (field && (flags & APE_KIND_BITS) === 0) items.push({ field, bytes })
    offset = end + 1 + size
  }
  const texts = items.map(({ bytes }) => bytes)
  if (texts.every((bytes) => decodeUtf8(bytes) !== undefined)) return {}
  const readText = guessText(texts)
  const names: TagNames = {}
  for (const { field, bytes } of items) {
    // NUL separates values.
    const values = readText(bytes).split('\0', MAX_TAG_VALUES).map(cleanText)
    names[field] ??= values.filter((value) => value !== undefined)
  }
  return names
}

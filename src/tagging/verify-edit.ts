import { type ByteSource, READ_BYTES } from '../audio/bytes.ts'
import type { Container } from '../audio/formats.ts'
import { DecodeError } from '../values/errors.ts'
import type { FilePart, FileParts } from './file-part.ts'
import { partsOf } from './file-parts.ts'
import { VENDOR_LABEL } from './tag-parts.ts'

/**
 * Requires that an edited file has every part of the original, byte for byte and in order, except
 * the values that were to change.
 *
 * @throws {DecodeError} naming the part that is not kept
 */
export async function verifyEdit(
  container: Container,
  original: ByteSource,
  edited: ByteSource,
  changedValues: ReadonlySet<string>,
): Promise<void> {
  const before = keptParts(partsOf(container, original), changedValues)
  const after = keptParts(partsOf(container, edited), changedValues)
  for await (const part of before) {
    if (!(await isFoundIn(after, part, original, edited))) throw notKept(part)
  }
  for await (const part of after) if (!isScaffold(part)) throw notKept(part)
}

function notKept({ label }: FilePart): DecodeError {
  return new DecodeError(`Its ${label} could not be kept; use a tag editor.`)
}

/** The parts that do not state one of the values. Of several comments, the first one is the value. */
async function* keptParts(parts: FileParts, changedValues: ReadonlySet<string>): FileParts {
  let hasComment = false
  for await (const part of parts) {
    const { label, valueName } = part
    const isFurtherComment = hasComment && /^ID3 frame/.test(label) && valueName === 'COMMENT'
    hasComment ||= valueName === 'COMMENT'
    if (valueName === undefined || isFurtherComment || !changedValues.has(valueName)) yield part
  }
}

/** Skips what an edit adds around new values. */
async function isFoundIn(
  parts: FileParts,
  wanted: FilePart,
  original: ByteSource,
  edited: ByteSource,
): Promise<boolean> {
  for (;;) {
    const { value: part } = await parts.next()
    if (!part) return false
    if (part.label === wanted.label && (await isSame(wanted, original, part, edited))) return true
    if (!isScaffold(part)) return false
  }
}

/** What a file gets that had no tag: the tag itself, and the names in an ID3v2 tag. */
function isScaffold({ label, content }: FilePart): boolean {
  if (content instanceof Uint8Array && content.length === 0) return true
  return SCAFFOLD.test(label) || label === VENDOR_LABEL
}

const SCAFFOLD =
  /^(?:ID3 header|ID3 frame (?:TIT2|TPE1|TALB|TPE2|TCON|TYER|TDRC|TRCK|TT2|TP1|TAL|TP2|TCO|TYE|TRK)|Vorbis comment (?:TITLE|ARTIST|ALBUM|ALBUMARTIST|GENRE|DATE|TRACKNUMBER)|(?:name of |version of )?MP4 box moov\/udta(?:\/meta(?:\/hdlr)?)?)$/

async function isSame(
  a: FilePart,
  original: ByteSource,
  b: FilePart,
  edited: ByteSource,
): Promise<boolean> {
  const [first, second] = [reading(a, original), reading(b, edited)]
  if (first.size !== second.size) return false
  for (let position = 0; position < first.size; position += READ_BYTES) {
    const [left, right] = [
      await first.read(position, READ_BYTES),
      await second.read(position, READ_BYTES),
    ]
    if (left.length === 0 || Buffer.compare(left, right) !== 0) return false
  }
  return true
}

/** The bytes of a part. */
function reading({ content }: FilePart, file: ByteSource) {
  if (content instanceof Uint8Array) {
    return {
      size: content.length,
      read: async (at: number, length: number) => content.subarray(at, at + length),
    }
  }
  const { start, end } = content
  return {
    size: end - start,
    read: (at: number, length: number) =>
      file.read(start + at, Math.max(0, Math.min(length, end - start - at))),
  }
}

import { type ByteSource, READ_BYTES } from '../audio/bytes.ts'
import type { Container } from '../audio/formats.ts'
import { DecodeError } from '../values/errors.ts'
import type { FilePart, FileParts } from './file-part.ts'
import { filePartsOf } from './file-parts.ts'
import { VENDOR_LABEL } from './tag-parts.ts'

/**
 * Every part of the original must be there, in order, except the changed values.
 *
 * @throws {DecodeError} naming the part that is not kept
 */
export async function verifyEdit(
  container: Container,
  original: ByteSource,
  edited: ByteSource,
  changedValues: ReadonlySet<string>,
): Promise<void> {
  const originalParts = keptParts(filePartsOf(container, original), changedValues)
  const editedParts = keptParts(filePartsOf(container, edited), changedValues)
  for await (const part of originalParts) {
    if (!(await isFoundIn(editedParts, part, original, edited))) throw notKeptError(part)
  }
  for await (const part of editedParts) if (!isScaffold(part)) throw notKeptError(part)
}

function notKeptError({ label }: FilePart): DecodeError {
  return new DecodeError(`Its ${label} could not be kept; use a tag editor.`)
}

/** Of several comments, the first one is the value. */
async function* keptParts(parts: FileParts, changedValues: ReadonlySet<string>): FileParts {
  let hasComment = false
  for await (const part of parts) {
    const { label, valueName } = part
    const isFurtherComment = hasComment && /^ID3 frame/.test(label) && valueName === 'COMMENT'
    hasComment ||= valueName === 'COMMENT'
    if (valueName === undefined || isFurtherComment || !changedValues.has(valueName)) yield part
  }
}

/** What an edit adds around new values is skipped. */
async function isFoundIn(
  parts: FileParts,
  keptPart: FilePart,
  original: ByteSource,
  edited: ByteSource,
): Promise<boolean> {
  for (;;) {
    const { value: part } = await parts.next()
    if (!part) return false
    if (part.label === keptPart.label && (await isSamePart(keptPart, original, part, edited)))
      return true
    if (!isScaffold(part)) return false
  }
}

/** A file without a tag gets the tag itself, and the names. */
function isScaffold({ label, content }: FilePart): boolean {
  if (content instanceof Uint8Array && content.length === 0) return true
  return SCAFFOLD_LABEL.test(label) || label === VENDOR_LABEL
}

const SCAFFOLD_LABEL =
  /^(?:ID3 header|ID3 frame (?:TIT2|TPE1|TALB|TPE2|TCON|TYER|TDRC|TRCK|TT2|TP1|TAL|TP2|TCO|TYE|TRK)|Vorbis comment (?:TITLE|ARTIST|ALBUM|ALBUMARTIST|GENRE|DATE|TRACKNUMBER)|(?:name of |version of )?MP4 box moov\/udta(?:\/meta(?:\/hdlr)?)?)$/

async function isSamePart(
  originalPart: FilePart,
  original: ByteSource,
  editedPart: FilePart,
  edited: ByteSource,
): Promise<boolean> {
  const [first, second] = [partReader(originalPart, original), partReader(editedPart, edited)]
  if (first.size !== second.size) return false
  for (let position = 0; position < first.size; position += READ_BYTES) {
    const [firstBytes, secondBytes] = [
      await first.read(position, READ_BYTES),
      await second.read(position, READ_BYTES),
    ]
    if (firstBytes.length === 0 || Buffer.compare(firstBytes, secondBytes) !== 0) return false
  }
  return true
}

function partReader({ content }: FilePart, file: ByteSource) {
  if (content instanceof Uint8Array) {
    return {
      size: content.length,
      read: async (position: number, length: number) =>
        content.subarray(position, position + length),
    }
  }
  const { start, end } = content
  return {
    size: end - start,
    read: (at: number, length: number) =>
      file.read(start + at, Math.max(0, Math.min(length, end - start - at))),
  }
}

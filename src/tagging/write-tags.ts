import { createHash } from 'node:crypto'
import { type ByteSource, openFile, pieces, READ_BYTES } from '../audio/bytes.ts'
import { type Container, FORMATS, identifyFormat } from '../audio/formats.ts'
import { atomsOf } from '../audio/mp4-atoms.ts'
import { readTags } from '../audio/tags.ts'
import { DecodeError } from '../values/errors.ts'
import { editedSource, writeEdit } from './byte-edit.ts'
import { openChunks } from './chunk-edit.ts'
import type { EditableTags } from './editable-tags.ts'
import { openFlac } from './flac-edit.ts'
import { openMp4 } from './mp4-edit.ts'
import { openMpeg } from './mpeg-edit.ts'
import { openOgg } from './ogg-edit.ts'
import type { TagTexts } from './tag-block.ts'
import { changesOf, type TagChange, type TagValues, textsOfValues } from './tag-values.ts'
import { verifyEdit } from './verify-edit.ts'

export interface WriteTagsTask {
  path: string
  values: TagValues
  /** Bytes that are read for the tags. */
  bytes: number
  /** Default: nothing is written. */
  copy?: string
}

export interface WrittenTags {
  changes: TagChange[]
  /** Of the file with the changes. */
  md5: string
}

const FORMAT_REMEDY =
  'convert it; audile writes tags of mp3, flac, ogg, opus, m4a, wav, aiff and aac'

/**
 * Writes values into the tags of a copy of a file; all else stays byte for byte. Without a copy the
 * edit is planned and verified, but not written.
 *
 * @throws {DecodeError} for a format whose tags cannot be written; when something could not be
 * kept: do not use the copy
 */
export async function writeFileTags({
  path,
  values,
  bytes: maxBytes,
  copy,
}: WriteTagsTask): Promise<WrittenTags> {
  const file = await openFile(path)
  try {
    const taggedFile = await openTags(file, path, maxBytes)
    const texts = textsOfValues(values, taggedFile.tags)
    const changes = changesOf(taggedFile.tags.blocks, texts)
    if (changes.length === 0) return { changes, md5: await md5OfSource(file) }
    const changedTexts = new Map(changes.map(({ tag, to: newText }) => [tag, newText ?? undefined]))
    const splices = await taggedFile.tags.edit(changedTexts)
    const edit = { tagged: taggedFile, texts, changes }
    if (copy === undefined)
      return { changes, md5: await verifyWritten(edit, editedSource(file, splices)) }
    await writeEdit(file, splices, copy)
    const writtenCopy = await openFile(copy)
    try {
      return { changes, md5: await verifyWritten(edit, writtenCopy) }
    } finally {
      await writtenCopy.close()
    }
  } finally {
    await file.close()
  }
}

interface OpenTaggedFile {
  file: ByteSource
  path: string
  maxBytes: number
  container: Container
  tags: EditableTags
}

interface PlannedEdit {
  tagged: OpenTaggedFile
  /** All texts of the tags after the edit. */
  texts: TagTexts
  changes: readonly TagChange[]
}

/** The edited bytes must have the new values, and all else that the file had. */
async function verifyWritten(
  { tagged, texts, changes }: PlannedEdit,
  edited: ByteSource,
): Promise<string> {
  const { file, path, maxBytes, container } = tagged
  await verifyEdit(container, file, edited, new Set(changes.map(({ tag }) => tag)))
  const { tags } = await openTags(edited, path, maxBytes)
  const [unwritten] = changesOf(tags.blocks, texts)
  if (unwritten) throw new DecodeError(`Its ${unwritten.tag} cannot be written; ${FORMAT_REMEDY}.`)
  return md5OfSource(edited)
}

async function md5OfSource(source: ByteSource): Promise<string> {
  const hash = createHash('md5')
  for await (const piece of pieces(source, READ_BYTES)) hash.update(piece)
  return hash.digest('hex')
}

async function openTags(file: ByteSource, path: string, maxBytes: number): Promise<OpenTaggedFile> {
  const { container, id3, misplaced, audio } = await identifyFormat(file)
  if (!container || container === 'au') {
    const title = container ? FORMATS[container].title : 'its'
    throw new DecodeError(`Tags of ${title} format cannot be written; ${FORMAT_REMEDY}.`)
  }
  if (container === 'mp4' && (await isFragmented(audio))) {
    throw new DecodeError(`Tags of fragmented MP4 cannot be written; ${FORMAT_REMEDY}.`)
  }
  const fileStart = misplaced ? file.size - audio.size : 0
  const readNames = () => readTags(path, maxBytes)
  const openContainer = async (): Promise<EditableTags> => {
    if (container === 'flac') return openFlac(file, fileStart, maxBytes, readNames)
    if (container === 'ogg') return openOgg(file, fileStart, maxBytes)
    if (container === 'mp4') return openMp4(file, fileStart, maxBytes)
    if (container === 'mp3' || container === 'aac')
      return openMpeg(file, id3[0], maxBytes, readNames)
    return openChunks(file, fileStart, maxBytes, readNames)
  }
  return { file, path, maxBytes, container, tags: await openContainer() }
}

async function isFragmented(audio: ByteSource): Promise<boolean> {
  for await (const { type } of atomsOf(audio)) if (type === 'moof') return true
  return false
}

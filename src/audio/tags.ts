import type { IAudioMetadata, ICommonTagsResult, IFormat, IOptions } from 'music-metadata'
import { loadPackage } from '../kernel/load-package.ts'
import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1, openFile, part, viewOf } from './bytes.ts'
import { type Container, FORMATS, identifyFormat } from './formats.ts'
import { ID3V1_BYTES, isApeHeader, readId3v1Names, readId3v2Names } from './id3.ts'
import { readFlacComment, readLegacyApeNames, toUtf8Comment } from './legacy-tags.ts'
import { readMp4Tags } from './mp4-tags.ts'
import { readOggComment, wrapInFlac } from './ogg-pages.ts'
import {
  firstNames,
  nameOfField,
  nativeNames,
  otherNames,
  type TagNames,
  type Tags,
  tagFields,
} from './tag-names.ts'
import { cleanText, cutAtNul, guessText } from './tag-text.ts'
import { isLittleEndian, readChunks } from './wav-aiff.ts'

export type { Tags } from './tag-names.ts'

/**
 * A damaged file gives the tags that can be read.
 *
 * @throws {DecodeError} naming `limits.tagBytes` when there are more bytes
 */
export async function readTags(path: string, maxBytes = 64 * 1024 ** 2): Promise<Tags> {
  const { found, exceeded } = await readLimited(path, maxBytes, readAllTags)
  if (exceeded) throw new DecodeError(`It has more than the ${maxBytes} bytes of limits.tagBytes.`)
  return found ?? { foreignIds: [] }
}

/** Nothing when `read` fails or reads too many bytes. */
export async function readLimited<T>(
  path: string,
  maxBytes: number,
  read: (file: ByteSource) => Promise<T>,
): Promise<{ found?: T; exceeded: boolean }> {
  let exceeded = false
  const file = await openFile(path).catch(() => undefined)
  try {
    const failOnExcess = () => {
      exceeded = true
      throw new Error('too many bytes')
    }
    return {
      ...(file && { found: await read(limitBytes(file, maxBytes, failOnExcess)) }),
      exceeded,
    }
  } catch {
    return { exceeded }
  } finally {
    await file?.close()
  }
}

async function readAllTags(file: ByteSource): Promise<Tags> {
  const { container, id3, misplaced, audio } = await identifyFormat(file)
  const id3Names: TagNames[] = []
  for (const { start, end } of id3)
    id3Names.push(readId3v2Names(await file.read(start, end - start)))
  const lastBytes = await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES)
  let sound = misplaced ? audio : file
  // music-metadata would take the header of a small APE tag for an ID3v1 tag.
  if (isApeHeader(lastBytes)) sound = withZeroAt(sound, sound.size - ID3V1_BYTES)
  // First: the tables of MP4, read at once, are kept for music-metadata.
  const restated = await restateTags(sound, container)
  const metadata = await parseTags(sound, container)
  let tags = metadata
  if (restated) tags = await parseTags(memorySource(restated.bytes), restated.container)
  if (misplaced && Object.keys(tags.native).length === 0) {
    tags = await parseTags(part(file, 0, file.size - audio.size), 'mp3')
  }
  const chunkTags = container === 'wav' || container === 'aiff' ? await readChunkNames(sound) : []
  return {
    ...tagFields(tags, metadata.format),
    ...firstNames([
      ...nativeNames(tags.native, ['vorbis', 'iTunes']),
      ...id3Names,
      ...chunkTags,
      ...nativeNames(tags.native, ['ID3v2.4', 'ID3v2.3', 'ID3v2.2']),
      await readLegacyApeNames(sound),
      ...nativeNames(tags.native, ['APEv2', 'matroska']),
      otherNames(tags),
      readId3v1Names(lastBytes),
    ]),
  }
}

/** Only if music-metadata would lose some because of where or how they lie. */
async function restateTags(
  sound: ByteSource,
  container: Container | undefined,
): Promise<{ container: Container; bytes: Uint8Array } | undefined> {
  if (container === 'mp4') {
    const bytes = await readMp4Tags(sound)
    return bytes && { container, bytes }
  }
  if (container === 'flac') {
    const comment = await readFlacComment(sound)
    const readable = comment && toUtf8Comment(comment)
    return readable && { container, bytes: wrapInFlac(readable) }
  }
  if (container !== 'ogg') return undefined
  const comment = await readOggComment(sound)
  return comment && { container: 'flac', bytes: wrapInFlac(toUtf8Comment(comment) ?? comment) }
}

type ParsedTags = Pick<IAudioMetadata, 'common' | 'format' | 'native'>

/** What music-metadata finds before it ends or fails. */
export async function parseTags(
  source: ByteSource,
  container: Container | undefined,
  covers = false,
): Promise<ParsedTags> {
  // By import(): the package is ESM only, and this one is also CJS.
  const { parseBlob } = await loadPackage('music-metadata', () => import('music-metadata'))
  let metadataSoFar: ParsedTags = {
    common: {} as ICommonTagsResult,
    format: {} as IFormat,
    native: {},
  }
  // The part of a Blob that music-metadata uses.
  const blob: Pick<Blob, 'size' | 'type'> & { slice(start: number, end: number): object } = {
    size: source.size,
    type: container ? FORMATS[container].mime : '',
    slice: (start, end) => ({
      arrayBuffer: async () => (await source.read(start, end - start)).buffer,
    }),
  }
  const options: IOptions = {
    skipCovers: !covers,
    duration: false,
    observer: ({ metadata }) => {
      metadataSoFar = metadata
    },
  }
  try {
    return await parseBlob(blob as Blob, options)
  } catch {
    return metadataSoFar
  }
}

/** Longer chunks hold something else. */
const MAX_NAME_CHUNK = 1_048_576

/** ID3v2 first, then those of the format itself. */
async function readChunkNames(source: ByteSource): Promise<TagNames[]> {
  const littleEndian = await isLittleEndian(source)
  const id3: TagNames[] = []
  const texts: NameTexts = []
  try {
    for await (const { id, start, size } of readChunks(source, littleEndian)) {
      const readContent = () => source.read(start, size)
      if (id.toUpperCase() === 'ID3 ') id3.push(readId3v2Names(await readContent()))
      else if (size > MAX_NAME_CHUNK) continue
      else if (id === 'LIST') {
        const list = await readContent()
        if (latin1(list, 0, 4) === 'INFO') readInfoChunk(list, littleEndian, texts)
      } else if (!littleEndian && nameOfField('AIFF', id))
        addText(texts, nameOfField('AIFF', id), await readContent())
    }
  } catch {
    // Damaged: the names in front of the damage count.
  }
  return [...id3, namesOfTexts(texts)]
}

type NameTexts = { field: keyof TagNames; bytes: Uint8Array }[]

function namesOfTexts(texts: NameTexts): TagNames {
  const names: TagNames = {}
  const readText = guessText(texts.map(({ bytes }) => bytes))
  for (const { field, bytes } of texts) {
    const text = cleanText(readText(bytes))
    if (text !== undefined) names[field] ??= [text]
  }
  return names
}

function readInfoChunk(list: Uint8Array, little: boolean, names: NameTexts): void {
  for (let offset = 4; offset + 8 <= list.length; ) {
    const size = viewOf(list).getUint32(offset + 4, little)
    addText(
      names,
      nameOfField('INFO', latin1(list, offset, 4)),
      list.subarray(offset + 8, offset + 8 + size),
    )
    offset += 8 + size
    if (size % 2 === 1 && list[offset] === 0) offset++
  }
}

function addText(texts: NameTexts, field: keyof TagNames | undefined, bytes: Uint8Array): void {
  if (field) texts.push({ field, bytes: cutAtNul(bytes) })
}

/** Most reads are of a few bytes; reading further would use up the limit. */
const READ_AHEAD_BYTES = 2048
/** Its start, its end, and what surrounds the tags. */
const MAX_KEPT_PIECES = 8

/** Calls `failOnExcess` where more bytes are read; the pieces read last are kept. */
function limitBytes(source: ByteSource, maxBytes: number, failOnExcess: () => void): ByteSource {
  const pieces: { start: number; bytes: Uint8Array<ArrayBuffer> }[] = []
  const { size } = source
  let remaining = maxBytes
  return {
    size,
    async read(position, length) {
      const start = Math.max(0, position)
      const end = Math.min(start + length, size)
      if (end <= start) return new Uint8Array(0)
      const piece = pieces.find(
        (kept) => kept.start <= start && end <= kept.start + kept.bytes.length,
      )
      if (piece) return piece.bytes.slice(start - piece.start, end - piece.start)
      const wanted = Math.min(Math.max(end - start, READ_AHEAD_BYTES), size - start)
      remaining -= wanted
      if (remaining < 0) failOnExcess()
      const bytes = await source.read(start, wanted)
      pieces.unshift({ start: start, bytes })
      // The one read first holds the tags at the start of the file.
      if (pieces.length > MAX_KEPT_PIECES) pieces.splice(MAX_KEPT_PIECES - 2, 1)
      return bytes.slice(0, end - start)
    },
  }
}

function withZeroAt(source: ByteSource, offset: number): ByteSource {
  return {
    size: source.size,
    read: async (position, length) => {
      const bytes = await source.read(position, length)
      if (offset >= position && offset < position + bytes.length) bytes[offset - position] = 0
      return bytes
    },
  }
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => new Uint8Array(bytes.slice(position, position + length)),
  }
}

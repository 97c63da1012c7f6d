import type { IAudioMetadata, ICommonTagsResult, IFormat, IOptions } from 'music-metadata'
import { loadPackage } from '../kernel/load-package.ts'
import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1, openFile, part, viewOf } from './bytes.ts'
import { type Container, FORMATS, identify } from './formats.ts'
import { ID3V1_BYTES, id3v1Names, id3v2Names, isApeHeader } from './id3.ts'
import { flacComment, legacyApeNames, utf8Comment } from './legacy-tags.ts'
import { mp4Tags } from './mp4-tags.ts'
import { flacAround, oggComment } from './ogg-pages.ts'
import {
  fieldsOf,
  firstNames,
  nameIn,
  nativeNames,
  otherNames,
  type TagNames,
  type Tags,
} from './tag-names.ts'
import { cleanText, guessText, untilNul } from './tag-text.ts'
import { chunks, isLittleEndian } from './wav-aiff.ts'

export type { Tags } from './tag-names.ts'

/**
 * Reads the tags of an audio file. Of a damaged file these are the ones that can be read, maybe none:
 * it may still be analysed.
 *
 * @param most bytes that may be read for them, including covers that stand between them
 * @throws {DecodeError} naming `limits.tagBytes` when there are more
 */
export async function readTags(path: string, most = 64 * 1024 ** 2): Promise<Tags> {
  const { found, exceeded } = await readLimited(path, most, tagsOf)
  if (exceeded) throw new DecodeError(`It has more than the ${most} bytes of limits.tagBytes.`)
  return found ?? { foreignIds: [] }
}

/** The result of `read`, which may read `most` bytes of the file; nothing when it fails. */
export async function readLimited<T>(
  path: string,
  most: number,
  read: (file: ByteSource) => Promise<T>,
): Promise<{ found?: T; exceeded: boolean }> {
  let exceeded = false
  const file = await openFile(path).catch(() => undefined)
  try {
    const exceed = () => {
      exceeded = true
      throw new Error('too many bytes')
    }
    return { ...(file && { found: await read(limited(file, most, exceed)) }), exceeded }
  } catch {
    return { exceeded }
  } finally {
    await file?.close()
  }
}

async function tagsOf(file: ByteSource): Promise<Tags> {
  const { container, id3, misplaced, audio } = await identify(file)
  const id3Names: TagNames[] = []
  for (const { start, end } of id3) id3Names.push(id3v2Names(await file.read(start, end - start)))
  const last = await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES)
  let sound = misplaced ? audio : file
  // music-metadata would take the header of a small APE tag for an ID3v1 tag.
  if (isApeHeader(last)) sound = withZeroAt(sound, sound.size - ID3V1_BYTES)
  // First: the tables of MP4, read at once, are kept for music-metadata.
  const restated = await restatedTags(sound, container)
  const whole = await parsed(sound, container)
  let tags = whole
  if (restated) tags = await parsed(inMemory(restated.bytes), restated.container)
  if (misplaced && Object.keys(tags.native).length === 0) {
    tags = await parsed(part(file, 0, file.size - audio.size), 'mp3')
  }
  const chunks = container === 'wav' || container === 'aiff' ? await chunkNames(sound) : []
  return {
    ...fieldsOf(tags, whole.format),
    ...firstNames([
      ...nativeNames(tags.native, ['vorbis', 'iTunes']),
      ...id3Names,
      ...chunks,
      ...nativeNames(tags.native, ['ID3v2.4', 'ID3v2.3', 'ID3v2.2']),
      await legacyApeNames(sound),
      ...nativeNames(tags.native, ['APEv2', 'matroska']),
      otherNames(tags),
      id3v1Names(last),
    ]),
  }
}

/** The tags as a separate file, if music-metadata would lose some because of where or how they lie. */
async function restatedTags(
  sound: ByteSource,
  container: Container | undefined,
): Promise<{ container: Container; bytes: Uint8Array } | undefined> {
  if (container === 'mp4') {
    const bytes = await mp4Tags(sound)
    return bytes && { container, bytes }
  }
  if (container === 'flac') {
    const comment = await flacComment(sound)
    const readable = comment && utf8Comment(comment)
    return readable && { container, bytes: flacAround(readable) }
  }
  if (container !== 'ogg') return undefined
  const comment = await oggComment(sound)
  return comment && { container: 'flac', bytes: flacAround(utf8Comment(comment) ?? comment) }
}

type Parsed = Pick<IAudioMetadata, 'common' | 'format' | 'native'>

/** What music-metadata finds before it ends or fails. */
export async function parsed(
  source: ByteSource,
  container: Container | undefined,
  covers = false,
): Promise<Parsed> {
  // By import() and not at the top: the package is ESM only, and this one is also built as CJS.
  const { parseBlob } = await loadPackage('music-metadata', () => import('music-metadata'))
  let found: Parsed = { common: {} as ICommonTagsResult, format: {} as IFormat, native: {} }
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
      found = metadata
    },
  }
  try {
    return await parseBlob(blob as Blob, options)
  } catch {
    return found
  }
}

/** Longest chunk of names that is read, bytes; longer ones hold something else. */
const MOST_NAMES = 1_048_576

/** The names that the chunks of a WAV or AIFF file give: ID3v2 first, then those of the format itself. */
async function chunkNames(source: ByteSource): Promise<TagNames[]> {
  const little = await isLittleEndian(source)
  const id3: TagNames[] = []
  const own: Texts = []
  try {
    for await (const { id, start, size } of chunks(source, little)) {
      const content = () => source.read(start, size)
      if (id.toUpperCase() === 'ID3 ') id3.push(id3v2Names(await content()))
      else if (size > MOST_NAMES) continue
      else if (id === 'LIST') {
        const list = await content()
        if (latin1(list, 0, 4) === 'INFO') readInfo(list, little, own)
      } else if (!little && nameIn('AIFF', id)) add(own, nameIn('AIFF', id), await content())
    }
  } catch {
    // Damaged: the names in front of the damage count.
  }
  return [...id3, namesIn(own)]
}

/** The bytes of the names of a tag. */
type Texts = { field: keyof TagNames; bytes: Uint8Array }[]

function namesIn(texts: Texts): TagNames {
  const names: TagNames = {}
  const read = guessText(texts.map(({ bytes }) => bytes))
  for (const { field, bytes } of texts) {
    const text = cleanText(read(bytes))
    if (text !== undefined) names[field] ??= [text]
  }
  return names
}

function readInfo(list: Uint8Array, little: boolean, names: Texts): void {
  for (let at = 4; at + 8 <= list.length; ) {
    const size = viewOf(list).getUint32(at + 4, little)
    add(names, nameIn('INFO', latin1(list, at, 4)), list.subarray(at + 8, at + 8 + size))
    at += 8 + size
    if (size % 2 === 1 && list[at] === 0) at++
  }
}

function add(texts: Texts, field: keyof TagNames | undefined, bytes: Uint8Array): void {
  if (field) texts.push({ field, bytes: untilNul(bytes) })
}

/**
 * Fewest bytes per read: most reads are of a few bytes, close behind each other. Reading further ahead
 * would use up the limit where what is read is scattered, as the fragments of an MP4 file are.
 */
const READ_AHEAD = 2048
/** Pieces of the file that are kept: its start, its end, and what surrounds the tags. */
const MOST_PIECES = 8

/** A source that calls `exceed` where more bytes are read than `most`; the pieces read last are kept. */
function limited(source: ByteSource, most: number, exceed: () => void): ByteSource {
  const pieces: { start: number; bytes: Uint8Array<ArrayBuffer> }[] = []
  const { size } = source
  let left = most
  return {
    size,
    async read(position, length) {
      const from = Math.max(0, position)
      const end = Math.min(from + length, size)
      if (end <= from) return new Uint8Array(0)
      const kept = pieces.find(({ start, bytes }) => start <= from && end <= start + bytes.length)
      if (kept) return kept.bytes.slice(from - kept.start, end - kept.start)
      const wanted = Math.min(Math.max(end - from, READ_AHEAD), size - from)
      left -= wanted
      if (left < 0) exceed()
      const bytes = await source.read(from, wanted)
      pieces.unshift({ start: from, bytes })
      // The one read first, now the last, holds the tags that the file begins with.
      if (pieces.length > MOST_PIECES) pieces.splice(MOST_PIECES - 2, 1)
      return bytes.slice(0, end - from)
    },
  }
}

/** The source with the byte at `at` set to 0. */
function withZeroAt(source: ByteSource, at: number): ByteSource {
  return {
    size: source.size,
    read: async (position, length) => {
      const bytes = await source.read(position, length)
      if (at >= position && at < position + bytes.length) bytes[at - position] = 0
      return bytes
    },
  }
}

export function inMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => new Uint8Array(bytes.slice(position, position + length)),
  }
}

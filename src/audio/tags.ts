import type { IAudioMetadata, ICommonTagsResult, IFormat, IOptions } from 'music-metadata'
import { DecodeError } from '../errors.ts'
import { loadPackage } from '../load-package.ts'
import { type ByteSource, FileSource, part } from './byte-source.ts'
import { chunkNames } from './chunk-tags.ts'
import { type Container, FORMATS } from './formats.ts'
import { ID3V1_BYTES, id3v1Names, id3v2Names, isApeHeader } from './id3.ts'
import { mp4Tags } from './mp4-tags.ts'
import { flacAround, oggComment } from './ogg-comments.ts'
import { identify } from './sniff.ts'
import { fieldsOf, type Tags } from './tag-fields.ts'
import { firstNames, nativeNames, otherNames, type TagNames } from './tag-names.ts'
import { inMemory, LimitedSource, withZeroAt } from './tag-source.ts'

export type { Tags } from './tag-fields.ts'

/**
 * Reads the tags of an audio file. Of a damaged file these are the ones that can be read, maybe none:
 * it may still be analysed.
 *
 * @param most bytes that may be read for them, including covers that stand between them
 * @throws {DecodeError} naming `limits.tagBytes` when there are more
 */
export async function readTags(path: string, most = 64 * 1024 ** 2): Promise<Tags> {
  let file: FileSource | undefined
  let limited: LimitedSource | undefined
  let tags: Tags = { foreignIds: [] }
  try {
    file = await FileSource.open(path)
    limited = new LimitedSource(file, most)
    tags = await tagsOf(limited)
  } catch {
    // No tags.
  } finally {
    await file?.close()
  }
  if (limited?.exceeded) {
    throw new DecodeError(`It has more than the ${most} bytes of limits.tagBytes.`)
  }
  return tags
}

async function tagsOf(file: ByteSource): Promise<Tags> {
  const { container, id3, audio } = await identify(file)
  const id3Names: TagNames[] = []
  for (const { start, end } of id3) id3Names.push(id3v2Names(await file.read(start, end - start)))
  // Only MPEG audio may begin with an ID3v2 tag; other formats begin behind it.
  const misplaced = id3.length > 0 && container !== 'mp3' && container !== 'aac'
  const last = await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES)
  let sound = misplaced ? audio : file
  // music-metadata would take the header of a small APE tag for an ID3v1 tag.
  if (isApeHeader(last)) sound = withZeroAt(sound, sound.size - ID3V1_BYTES)
  const whole = await parsed(sound, container)
  let tags = whole
  const restated = await restatedTags(sound, container)
  if (restated) tags = await parsed(inMemory(restated.bytes), restated.container)
  if (misplaced && Object.keys(tags.native).length === 0) {
    tags = await parsed(part(file, 0, file.size - audio.size), 'mp3')
  }
  const chunks = container === 'wav' || container === 'aiff' ? await chunkNames(sound) : []
  return {
    ...fieldsOf(tags.common, whole.format),
    ...firstNames([
      ...nativeNames(tags.native, ['vorbis', 'iTunes']),
      ...id3Names,
      ...chunks,
      ...nativeNames(tags.native, ['ID3v2.4', 'ID3v2.3', 'ID3v2.2', 'APEv2', 'matroska']),
      otherNames(tags),
      id3v1Names(last),
    ]),
  }
}

/** The tags as a file of their own, where music-metadata loses some for the way they lie in this one. */
async function restatedTags(
  sound: ByteSource,
  container: Container | undefined,
): Promise<{ container: Container; bytes: Uint8Array } | undefined> {
  if (container === 'mp4') {
    const bytes = await mp4Tags(sound)
    return bytes && { container, bytes }
  }
  if (container !== 'ogg') return undefined
  const comment = await oggComment(sound)
  return comment && { container: 'flac', bytes: flacAround(comment) }
}

type Parsed = Pick<IAudioMetadata, 'common' | 'format' | 'native'>

/** What music-metadata finds before it ends or fails. */
async function parsed(source: ByteSource, container: Container | undefined): Promise<Parsed> {
  // By import() and not on top: the package is ESM only, and this one is also built as CJS.
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
    skipCovers: true,
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

import type { IPicture } from 'music-metadata'
import { type ByteSource, latin1, part } from './bytes.ts'
import { identify } from './formats.ts'
import { flacAround, oggComment } from './ogg-pages.ts'
import { inMemory, parsed, readLimited } from './tags.ts'

/** A picture of a file. */
export interface Cover {
  /** The media type, from the first bytes: `image/jpeg` … */
  type: string
  /** The content of an image file. */
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * The picture in the tags of an audio file: that of the front cover before others, icons last.
 * Undefined where there is none that browsers show, or the tags cannot be read.
 *
 * @param most bytes that may be read
 */
export async function readCover(path: string, most: number): Promise<Cover | undefined> {
  // A damaged file, or one over the limit, gives no cover and no error.
  const { found = [] } = await readLimited(path, most, picturesOf)
  for (const { data } of found.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const type = imageType(data)
    // A copy, because the buffer holds the whole tag.
    if (type !== undefined) return { type, bytes: new Uint8Array(data) }
  }
  return undefined
}

async function picturesOf(file: ByteSource): Promise<IPicture[]> {
  const { container, misplaced, audio } = await identify(file)
  const comment = container === 'ogg' ? await oggComment(audio) : undefined
  const own = comment
    ? await parsed(inMemory(flacAround(comment)), 'flac', true)
    : await parsed(misplaced ? audio : file, container, true)
  const found = own.common.picture ?? []
  if (found.length > 0 || !misplaced) return found
  const before = part(file, 0, file.size - audio.size)
  return (await parsed(before, 'mp3', true)).common.picture ?? []
}

/** 0 for a front cover, 2 for an icon, 1 for what is neither. */
function rankOf({ type = '' }: IPicture): number {
  if (/front/i.test(type)) return 0
  return /icon/i.test(type) ? 2 : 1
}

const SIGNATURES: readonly (readonly [start: string, type: string])[] = [
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF8', 'image/gif'],
  ['BM', 'image/bmp'],
]

/** The media type of an image by its first bytes. */
export function imageType(bytes: Uint8Array): string | undefined {
  if (latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 4) === 'WEBP') return 'image/webp'
  if (/^ftyp(?:avif|avis)$/.test(latin1(bytes, 4, 8))) return 'image/avif'
  return SIGNATURES.find(([start]) => latin1(bytes, 0, start.length) === start)?.[1]
}

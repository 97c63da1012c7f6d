import type { IPicture } from 'music-metadata'
import { type ByteSource, latin1, part } from './bytes.ts'
import { identifyFormat } from './formats.ts'
import { readOggComment, wrapInFlac } from './ogg-pages.ts'
import { memorySource, parseTags, readLimited } from './tags.ts'

/** A picture of a file. */
export interface Cover {
  /** The media type, from the first bytes: `image/jpeg` … */
  type: string
  /** The content of an image file. */
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * The front cover before others, icons last; undefined where no tag has a picture that browsers
 * show.
 */
export async function readCover(path: string, maxBytes: number): Promise<Cover | undefined> {
  // A damaged file, or one over the limit, gives no cover.
  const { found = [] } = await readLimited(path, maxBytes, readPictures)
  for (const { data } of found.toSorted((a, b) => coverRank(a) - coverRank(b))) {
    const type = imageType(data)
    // A copy, because the buffer holds the whole tag.
    if (type !== undefined) return { type, bytes: new Uint8Array(data) }
  }
  return undefined
}

async function readPictures(file: ByteSource): Promise<IPicture[]> {
  const { container, misplaced, audio } = await identifyFormat(file)
  const comment = container === 'ogg' ? await readOggComment(audio) : undefined
  const metadata = comment
    ? await parseTags(memorySource(wrapInFlac(comment)), 'flac', true)
    : await parseTags(misplaced ? audio : file, container, true)
  const pictures = metadata.common.picture ?? []
  if (pictures.length > 0 || !misplaced) return pictures
  const tagBytes = part(file, 0, file.size - audio.size)
  return (await parseTags(tagBytes, 'mp3', true)).common.picture ?? []
}

/** 0 for a front cover, 2 for an icon, 1 for what is neither. */
function coverRank({ type = '' }: IPicture): number {
  if (/front/i.test(type)) return 0
  return /icon/i.test(type) ? 2 : 1
}

const SIGNATURES: readonly (readonly [start: string, type: string])[] = [
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['GIF8', 'image/gif'],
  ['BM', 'image/bmp'],
]

export function imageType(bytes: Uint8Array): string | undefined {
  if (latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 4) === 'WEBP') return 'image/webp'
  if (/^ftyp(?:avif|avis)$/.test(latin1(bytes, 4, 8))) return 'image/avif'
  return SIGNATURES.find(([start]) => latin1(bytes, 0, start.length) === start)?.[1]
}

import { type ByteSource, part } from './byte-source.ts'
import { latin1 } from './bytes.ts'
import { type Container, FORMATS } from './formats.ts'
import { id3Length } from './mpeg-frames.ts'

/** The first bytes of a file that are enough to tell its format. */
export const HEAD_BYTES = 16_384
/** ID3v2 tags at the start of a file that are read. */
const MOST_TAGS = 64

/**
 * Tells the format of an audio file by its content, never by its name. Strict, because uploading a
 * folder uses it to find the audio files in it.
 *
 * @param head the first {@link HEAD_BYTES} bytes of the file, or all of a shorter one
 * @returns undefined for a format that audile does not know
 */
export function sniff(head: Uint8Array): Container | undefined {
  const text = latin1(head, 0, 12)
  for (const [name, { begins }] of Object.entries(FORMATS)) {
    if (typeof begins === 'function' ? begins(head) : begins.test(text)) return name as Container
  }
  return undefined
}

/** Where the sound of a file begins, and its format. */
export interface Identified {
  /** Undefined for a format that audile does not know. */
  container: Container | undefined
  /** The format is not certain: an ID3v2 tag alone tells that this is MPEG audio. */
  guessed: boolean
  /** Where each ID3v2 tag in front of the sound begins and ends. */
  id3: { start: number; end: number }[]
  /** The file behind those tags. */
  audio: ByteSource
}

export async function identify(source: ByteSource): Promise<Identified> {
  const id3 = await leadingId3(source)
  const audio = part(source, id3.at(-1)?.end ?? 0)
  const head = await audio.read(0, HEAD_BYTES)
  const sniffed = sniff(head)
  const guessed = sniffed === undefined && id3.length > 0 && head.length > 0
  return { container: guessed ? 'mp3' : sniffed, guessed, id3, audio }
}

async function leadingId3(source: ByteSource): Promise<{ start: number; end: number }[]> {
  const tags: { start: number; end: number }[] = []
  for (let start = 0; tags.length < MOST_TAGS; ) {
    const length = id3Length(await source.read(start, 10), 0)
    if (!length) break
    tags.push({ start, end: start + length })
    start += length
  }
  return tags
}

/** How sound files begin that only ffmpeg decodes. */
const FOREIGN = [
  '\x30\x26\xb2\x75\x8e\x66\xcf\x11', // ASF: Windows Media
  '\x1a\x45\xdf\xa3', // Matroska, WebM
  '\x7f\xfe\x80\x01', // DTS
  'MAC ', // Monkey's Audio
  'wvpk', // WavPack
  'DSD ',
  'FRM8', // DSDIFF
  'TTA1',
  'TTA2',
  'MPCK', // Musepack 8
  'MP+', // Musepack 7
  '#!AMR',
  'caff',
  'tBaK', // TAK
  'ajkg', // Shorten
  '.RMF', // RealAudio
  'Creative Voice File',
  'riff\x2e\x91\xcf\x11', // Wave64
]

/** Whether a file holds sound in a format that only ffmpeg decodes. */
export function isForeignSound(head: Uint8Array): boolean {
  return FOREIGN.some((signature) => latin1(head, 0, signature.length) === signature)
}

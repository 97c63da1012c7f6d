import { type ByteSource, latin1, part, viewOf } from './bytes.ts'
import { id3Length, isSameStream, readMpegFrame } from './mpeg-frames.ts'

/** The file formats that audile recognizes; 'aac' is AAC in ADTS frames. */
export type Container = 'wav' | 'aiff' | 'au' | 'ogg' | 'flac' | 'mp4' | 'aac' | 'mp3'

interface ContainerFormat {
  /** For error messages: "Speex in Ogg". */
  title: string
  /** The media type by which music-metadata chooses its parser. */
  mime: string
  ffmpeg: string
  /** ffmpeg must seek in such files, so it cannot read them through a pipe. */
  seeks?: boolean
  begins: RegExp | ((head: Uint8Array) => boolean)
}

/** In the order in which they are tried. `decode.ts` names the decoder of each. */
export const FORMATS: Readonly<Record<Container, ContainerFormat>> = {
  wav: {
    title: 'WAV',
    mime: 'audio/wav',
    ffmpeg: 'wav',
    begins: /^(?:RIF[FX]|RF64|BW64).{4}WAVE/s,
  },
  aiff: {
    title: 'AIFF',
    mime: 'audio/aiff',
    ffmpeg: 'aiff',
    seeks: true,
    begins: /^FORM.{4}AIF[FC]/s,
  },
  au: { title: 'AU', mime: 'audio/basic', ffmpeg: 'au', begins: /^\.snd/ },
  ogg: { title: 'Ogg', mime: 'audio/ogg', ffmpeg: 'ogg', begins: /^OggS/ },
  flac: { title: 'FLAC', mime: 'audio/flac', ffmpeg: 'flac', begins: /^fLaC/ },
  mp4: { title: 'MP4', mime: 'audio/mp4', ffmpeg: 'mov', seeks: true, begins: isMp4 },
  aac: { title: 'ADTS frames', mime: 'audio/aac', ffmpeg: 'aac', begins: isAdts },
  mp3: { title: 'an MPEG stream', mime: 'audio/mpeg', ffmpeg: 'mp3', begins: isMpegAudio },
}

/** For error messages. */
export const KNOWN_FORMATS =
  'wav, au, aiff, mp3, flac, ogg (vorbis, opus, flac), m4a, mp4 and aac, whatever their names'

/** An ISO base media or QuickTime file, by the atoms that such files begin with. */
function isMp4(head: Uint8Array): boolean {
  if (head.length < 12) return false
  const type = latin1(head, 4, 4)
  if (type === 'ftyp' || type === 'moov') return true
  if (!['mdat', 'free', 'skip', 'wide', 'pnot'].includes(type)) return false
  // These words occur in text too, where the size is not plausible; 1 announces a 64-bit size.
  const size = viewOf(head).getUint32(0)
  return type === 'mdat' ? size === 1 || size >= 8 : size >= 8 && size < 2 ** 24
}

/** Two frame headers in a row that agree, or four where other bytes precede them. */
function isMpegAudio(head: Uint8Array): boolean {
  if (id3Length(head, 0)) return true
  const start = firstNonZero(head)
  if (hasMpegFrames(head, start, 2)) return true
  for (let offset = start + 1; offset + 4 < head.length; offset++) {
    if (head[offset] === 0xff && hasMpegFrames(head, offset, 4)) return true
  }
  return false
}

function firstNonZero(head: Uint8Array): number {
  const offset = head.findIndex((byte) => byte !== 0)
  return offset < 0 ? head.length : offset
}

function hasMpegFrames(head: Uint8Array, start: number, count: number): boolean {
  const first = readMpegFrame(head, start)
  let offset = start
  for (let i = 0, frame = first; i < count; i++, frame = readMpegFrame(head, offset)) {
    if (!first || !frame || !isSameStream(first, frame)) return false
    offset += frame.bytes
  }
  return true
}

/** Two ADTS headers in a row (ISO/IEC 13818-7, 6.2) that agree in their fixed part. */
function isAdts(head: Uint8Array): boolean {
  const offset = firstNonZero(head)
  const length = adtsLength(head, offset)
  if (length === undefined || adtsLength(head, offset + length) === undefined) return false
  return (
    head[offset + 1] === head[offset + length + 1] && head[offset + 2] === head[offset + length + 2]
  )
}

function adtsLength(head: Uint8Array, offset: number): number | undefined {
  if (offset + 7 > head.length || head[offset] !== 0xff || (head[offset + 1]! & 0xf6) !== 0xf0)
    return undefined
  if (((head[offset + 2]! >> 2) & 15) > 12) return undefined
  const length =
    ((head[offset + 3]! & 3) << 11) | (head[offset + 4]! << 3) | (head[offset + 5]! >> 5)
  return length >= 7 ? length : undefined
}

/** How many first bytes of a file are enough to detect its format. */
export const SNIFFED_BYTES = 16_384
/** Most ID3v2 tags that are read at the start of a file. */
const MAX_ID3_TAGS = 64

/** Never from its name, and strict: uploading a folder finds the audio files by it. */
export function sniffFormat(head: Uint8Array): Container | undefined {
  const text = latin1(head, 0, 12)
  for (const [name, { begins }] of Object.entries(FORMATS)) {
    if (typeof begins === 'function' ? begins(head) : begins.test(text)) return name as Container
  }
  return undefined
}

interface IdentifiedFormat {
  /** Undefined for a format that audile does not know. */
  container: Container | undefined
  /** The format is not certain: only an ID3v2 tag suggests MPEG audio. */
  guessed: boolean
  /** Where each ID3v2 tag in front of the sound begins and ends. */
  id3: { start: number; end: number }[]
  /** An ID3v2 tag stands in front of a format other than MPEG audio and ADTS. */
  misplaced: boolean
  /** The file after those tags. */
  audio: ByteSource
}

export async function identifyFormat(source: ByteSource): Promise<IdentifiedFormat> {
  const id3 = await leadingId3(source)
  const audio = part(source, id3.at(-1)?.end ?? 0)
  const head = await audio.read(0, SNIFFED_BYTES)
  const sniffed = sniffFormat(head)
  const guessed = sniffed === undefined && id3.length > 0 && head.length > 0
  const container = guessed ? 'mp3' : sniffed
  const misplaced = id3.length > 0 && container !== 'mp3' && container !== 'aac'
  return { container, guessed, id3, misplaced, audio }
}

async function leadingId3(source: ByteSource): Promise<{ start: number; end: number }[]> {
  const tags: { start: number; end: number }[] = []
  for (let start = 0; tags.length < MAX_ID3_TAGS; ) {
    const length = id3Length(await source.read(start, 10), 0)
    if (!length) break
    tags.push({ start, end: start + length })
    start += length
  }
  return tags
}

/** The first bytes of sound files that only ffmpeg decodes. */
const FOREIGN_SIGNATURES = [
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

export function isForeignSound(head: Uint8Array): boolean {
  return FOREIGN_SIGNATURES.some((signature) => latin1(head, 0, signature.length) === signature)
}

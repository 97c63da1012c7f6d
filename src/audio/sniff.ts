import { id3Length, mpegFrame, sameStream } from './mpeg-frames.ts'

/** The file formats that audile tells apart; 'aac' is AAC in ADTS frames. */
export type Container = 'wav' | 'au' | 'aiff' | 'mp3' | 'ogg' | 'flac' | 'mp4' | 'aac'

/** What audile knows by its content, for messages. */
export const KNOWN_FORMATS =
  'wav, au, aiff, mp3, flac, ogg (vorbis, opus, flac), m4a, mp4 and aac, whatever their names'

/** How many bytes of a file `sniff` can make use of. */
export const HEAD_BYTES = 16_384

/**
 * Tells by its first bytes what kind of audio file this is; names never count.
 *
 * Strict, as it is also used to find the audio among the files of a folder: MPEG audio needs an
 * ID3v2 tag, or two frame headers in a row that agree (four in a row where bytes precede them).
 *
 * @param head the start of the file, {@link HEAD_BYTES} bytes if it has as many
 * @returns undefined when it is none that audile knows
 */
export function sniff(head: Uint8Array): Container | undefined {
  const first = ascii(head, 0, 4)
  const form = ascii(head, 8, 4)
  if (form === 'WAVE' && ['RIFF', 'RIFX', 'RF64', 'BW64'].includes(first)) return 'wav'
  if (first === 'FORM' && (form === 'AIFF' || form === 'AIFC')) return 'aiff'
  if (first === '.snd') return 'au'
  if (first === 'OggS') return 'ogg'
  if (first === 'fLaC') return 'flac'
  if (isMp4(head)) return 'mp4'
  if (id3Length(head, 0)) return 'mp3'
  const start = head.findIndex((byte) => byte !== 0)
  if (start < 0) return undefined
  if (adtsFrames(head, start)) return 'aac'
  if (mpegFrames(head, start, 2)) return 'mp3'
  for (let at = start + 1; at + 4 < head.length; at++) {
    if (head[at] === 0xff && mpegFrames(head, at, 4)) return 'mp3'
  }
  return undefined
}

/** The first bytes of sound files that audile does not decode itself, and ffmpeg does. */
const FOREIGN: readonly (string | readonly number[])[] = [
  [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], // ASF: Windows Media
  [0x1a, 0x45, 0xdf, 0xa3], // Matroska, WebM
  [0x7f, 0xfe, 0x80, 0x01], // DTS
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

/** Whether a file is sound in a format that audile knows by name only; ffmpeg has a decoder. */
export function isForeignSound(head: Uint8Array): boolean {
  return FOREIGN.some((magic) =>
    typeof magic === 'string'
      ? ascii(head, 0, magic.length) === magic
      : magic.every((byte, i) => head[i] === byte),
  )
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** An ISO base media or QuickTime file: one of the atoms that such files begin with. */
function isMp4(head: Uint8Array): boolean {
  if (head.length < 12) return false
  const type = ascii(head, 4, 4)
  if (type === 'ftyp' || type === 'moov') return true
  const size = new DataView(head.buffer, head.byteOffset).getUint32(0)
  if (!['mdat', 'free', 'skip', 'wide', 'pnot'].includes(type)) return false
  // These words are common enough in text; then the size before them is not plausible, but 1 stands
  // for a 64-bit size and 8 is an empty atom.
  return type === 'mdat' ? size === 1 || size >= 8 : size >= 8 && size < 2 ** 24
}

function mpegFrames(head: Uint8Array, start: number, count: number): boolean {
  const first = mpegFrame(head, start)
  let at = start
  for (let i = 0, frame = first; i < count; i++, frame = mpegFrame(head, at)) {
    if (!first || !frame || !sameStream(first, frame)) return false
    at += frame.bytes
  }
  return true
}

/** Two ADTS headers in a row (ISO/IEC 13818-7, 6.2) that agree in their fixed part. */
function adtsFrames(head: Uint8Array, at: number): boolean {
  const length = adtsLength(head, at)
  if (length === undefined || adtsLength(head, at + length) === undefined) return false
  return head[at + 1] === head[at + length + 1] && head[at + 2] === head[at + length + 2]
}

function adtsLength(head: Uint8Array, at: number): number | undefined {
  if (at + 7 > head.length || head[at] !== 0xff || (head[at + 1]! & 0xf6) !== 0xf0) return undefined
  if (((head[at + 2]! >> 2) & 15) > 12) return undefined
  const length = ((head[at + 3]! & 3) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5)
  return length >= 7 ? length : undefined
}

import { DecodeError } from '../errors.ts'
import { type ByteSource, part } from './byte-source.ts'
import { viewOf } from './bytes.ts'
import { chunks, isLittleEndian } from './chunks.ts'
import { openMp3 } from './mp3.ts'
import { type PcmLayout, pcmStream, type SampleFormat, signedFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

const PCM = 1
const FLOAT = 3
const ALAW = 6
const MULAW = 7
const MP3 = 0x55
const EXTENSIBLE = 0xfffe

/** Codecs that other programs write into WAV files. */
const CODECS: Readonly<Record<number, string>> = {
  2: 'Microsoft ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG audio layer II',
  255: 'AAC',
  353: 'Windows Media Audio',
  8192: 'AC-3',
}

interface Format {
  tag: number
  channels: number
  sampleRate: number
  blockAlign: number
  bits: number
}

/**
 * RIFF WAVE, its 64-bit forms RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088) and big-endian RIFX:
 * PCM of 8…32 bits, float, double, μ-law, A-law, and MP3.
 *
 * A data size of 0, of 0xffffffff, or beyond the end of the file means "to the end of the file";
 * only the last counts as truncated, because programs that stream WAV cannot know the size.
 */
export async function openWav(source: ByteSource): Promise<PcmStream> {
  const little = await isLittleEndian(source)
  let format: Format | undefined
  for await (const { id, start, size } of chunks(source, little)) {
    if (id === 'fmt ') format = await readFormat(source, start, size, little)
    else if (id === 'data') {
      if (!format) {
        throw new DecodeError('This WAV file is damaged: its data comes before its format.')
      }
      const truncated = size !== 0xffffffff && size > source.size - start
      const data = part(source, start, size === 0 ? source.size : start + size)
      if (format.tag === MP3) return { ...(await openMp3(data)), container: 'wav' }
      return pcmStream('wav', data, layoutOf(format, !little), truncated)
    }
  }
  throw new DecodeError(`This WAV file has no ${format ? 'data' : 'format'} chunk.`)
}

async function readFormat(
  source: ByteSource,
  start: number,
  size: number,
  little: boolean,
): Promise<Format> {
  const body = viewOf(await source.read(start, Math.min(size, 40)))
  if (body.byteLength < 14) {
    throw new DecodeError(
      `This WAV file is damaged: its format chunk has ${body.byteLength} bytes, not 16 or more.`,
    )
  }
  let tag = body.getUint16(0, little)
  // WAVE_FORMAT_EXTENSIBLE: the tag is the first field of the subformat's GUID.
  if (tag === EXTENSIBLE && body.byteLength >= 26) tag = body.getUint16(24, little)
  return {
    tag,
    channels: body.getUint16(2, little),
    sampleRate: body.getUint32(4, little),
    blockAlign: body.getUint16(12, little),
    bits: body.byteLength >= 16 ? body.getUint16(14, little) : 8,
  }
}

function layoutOf(format: Format, bigEndian: boolean): PcmLayout {
  const { tag, channels, sampleRate, bits, blockAlign } = format
  if (channels === 0) throw new DecodeError('This WAV file is damaged: it has 0 channels.')
  // Samples are left-justified in whole bytes, so 20 bits in 3 bytes read as 24 bits, and 24 bits in
  // 4 bytes as 32. A block size that contradicts bits and channels wins where it divides evenly.
  const fitting = Math.ceil(bits / 8)
  const stated = blockAlign / channels
  const width = Number.isInteger(stated) && stated >= fitting && stated > 0 ? stated : fitting
  const kind = sampleFormat(tag, width)
  if (kind) return { format: kind, bigEndian, channels, sampleRate }
  if (tag === PCM || tag === FLOAT) {
    throw new DecodeError(
      `This WAV file is damaged or unusual: ${bits} bits in blocks of ${blockAlign} bytes for ` +
        `${channels} channels. audile reads integers of 1…32 bits and floats of 32 and 64 bits.`,
    )
  }
  const name = CODECS[tag] ?? `format 0x${tag.toString(16).padStart(4, '0')}`
  throw new NoDecoder('wav', name)
}

function sampleFormat(tag: number, width: number): SampleFormat | undefined {
  if (tag === PCM) return width === 1 ? 'u8' : signedFormat(width)
  if (tag === FLOAT) return width === 4 ? 'f32' : width === 8 ? 'f64' : undefined
  if (tag === MULAW) return 'mulaw'
  if (tag === ALAW) return 'alaw'
  return undefined
}

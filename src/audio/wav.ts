import { DecodeError } from '../errors.ts'
import { type ByteSource, part } from './byte-source.ts'
import { openMp3 } from './mp3.ts'
import { frameBytes, type PcmLayout, readPcm, type SampleFormat, signedFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

const PCM = 1
const FLOAT = 3
const ALAW = 6
const MULAW = 7
const MP3 = 0x55
const EXTENSIBLE = 0xfffe
/** Chunks before the sound; a file has a handful, and each is a read of its own. */
const MOST_CHUNKS = 10_000

/** Names of what other programs write into WAV files. */
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
 * RIFF WAVE, its 64-bit kin RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088) and big-endian RIFX:
 * PCM of 8…32 bits, float, double, μ-law, A-law, and MP3.
 *
 * A data size of 0, of 0xffffffff, or beyond the end of the file means "to the end of the file";
 * only the last counts as truncated, for programs that stream WAV cannot know the size.
 */
export async function openWav(source: ByteSource): Promise<PcmStream> {
  const { format, data, bigEndian, truncated } = await readChunks(source)
  if (format.tag === MP3) {
    const stream = await openMp3(data)
    return { ...stream, container: 'wav' }
  }
  const layout = layoutOf(format, bigEndian)
  const { channels, sampleRate } = layout
  return {
    container: 'wav',
    codec: layout.format,
    decoder: 'pcm',
    sampleRate,
    channels,
    frames: Math.floor(data.size / frameBytes(layout)),
    blocks: (async function* () {
      yield* readPcm(data, layout)
      return truncated
    })(),
  }
}

async function readChunks(source: ByteSource) {
  const head = view(await source.read(0, 12))
  const bigEndian = head.getUint32(0) === 0x52494658 // RIFX
  const little = !bigEndian
  let format: Format | undefined
  let longData: number | undefined
  let chunks = 0
  for (let position = 12; position + 8 <= source.size; ) {
    if (++chunks > MOST_CHUNKS) {
      throw new DecodeError(`This WAV file is damaged: it has more than ${MOST_CHUNKS} chunks.`)
    }
    const chunk = view(await source.read(position, 8))
    const id = chunk.getUint32(0)
    const size = chunk.getUint32(4, little)
    position += 8
    if (id === 0x64733634 /* ds64 */) {
      const body = view(await source.read(position, 16))
      if (body.byteLength >= 16) {
        longData = body.getUint32(8, true) + body.getUint32(12, true) * 2 ** 32
      }
    } else if (id === 0x666d7420 /* fmt_ */) {
      format = readFormat(view(await source.read(position, Math.min(size, 40))), little)
    } else if (id === 0x64617461 /* data */) {
      if (!format) {
        throw new DecodeError('This WAV file is damaged: its data comes before its format.')
      }
      const unknown = size === 0xffffffff || size === 0
      const stated = size === 0xffffffff && longData ? longData : unknown ? undefined : size
      const rest = source.size - position
      const length = Math.min(stated ?? rest, rest)
      const truncated = stated !== undefined && stated > rest
      return { format, data: part(source, position, position + length), bigEndian, truncated }
    }
    // Chunks start at even positions.
    position += size + (size % 2)
  }
  throw new DecodeError(`This WAV file has no ${format ? 'data' : 'format'} chunk.`)
}

function readFormat(body: DataView, little: boolean): Format {
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
  // Samples lie left-justified in whole bytes, so 20 bits in 3 bytes read as 24 bits, and 24 bits
  // in 4 bytes as 32. A block of another size than bits and channels make is believed if it divides.
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

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

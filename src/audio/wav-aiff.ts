import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1, part, viewOf } from './bytes.ts'
import { openMp3 } from './mp3.ts'
import { frameBytes, type PcmLayout, pcmStream, type SampleFormat, signedFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

const TAG_PCM = 1
const TAG_FLOAT = 3
const TAG_ALAW = 6
const TAG_MULAW = 7
const TAG_MP3 = 0x55
const TAG_EXTENSIBLE = 0xfffe

const CODEC_NAMES: Readonly<Record<number, string>> = {
  2: 'Microsoft ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG audio layer II',
  255: 'AAC',
  353: 'Windows Media Audio',
  8192: 'AC-3',
}

type WavFormat = Awaited<ReturnType<typeof readFormat>>

/**
 * RIFF WAVE, RF64, BW64 (ITU-R BS.2088) and RIFX. Programs that stream cannot know the size, so 0
 * or 0xffffffff means to the end.
 */
export async function openWav(source: ByteSource): Promise<PcmStream> {
  const littleEndian = await isLittleEndian(source)
  let format: WavFormat | undefined
  for await (const { id, start, size } of readChunks(source, littleEndian)) {
    if (id === 'fmt ') format = await readFormat(source, start, size, littleEndian)
    else if (id === 'data') {
      if (!format) {
        throw new DecodeError('This WAV file is damaged: its data comes before its format.')
      }
      const truncated = size !== 0xffffffff && size > source.size - start
      const unknown = size === 0 || size === 0xffffffff
      const data = part(source, start, unknown ? source.size : start + size)
      if (format.tag === TAG_MP3) return { ...(await openMp3(data)), container: 'wav' }
      return pcmStream('wav', data, wavLayoutOf(format, !littleEndian), truncated)
    }
  }
  throw new DecodeError(`This WAV file has no ${format ? 'data' : 'format'} chunk.`)
}

async function readFormat(source: ByteSource, start: number, size: number, littleEndian: boolean) {
  const body = viewOf(await source.read(start, Math.min(size, 40)))
  if (body.byteLength < 14) {
    throw new DecodeError(
      `This WAV file is damaged: its format chunk has ${body.byteLength} bytes, not 16 or more.`,
    )
  }
  let tag = body.getUint16(0, littleEndian)
  // WAVE_FORMAT_EXTENSIBLE: the tag is the first field of the subformat's GUID.
  if (tag === TAG_EXTENSIBLE && body.byteLength >= 26) tag = body.getUint16(24, littleEndian)
  return {
    tag,
    channels: body.getUint16(2, littleEndian),
    sampleRate: body.getUint32(4, littleEndian),
    blockAlign: body.getUint16(12, littleEndian),
    bits: body.byteLength >= 16 ? body.getUint16(14, littleEndian) : 8,
  }
}

function wavLayoutOf(format: WavFormat, bigEndian: boolean): PcmLayout {
  const { tag, channels, sampleRate, bits, blockAlign } = format
  if (channels === 0) throw new DecodeError('This WAV file is damaged: it has 0 channels.')
  // Samples are left-justified in whole bytes; a block size that divides evenly wins over bits.
  const fitting = Math.ceil(bits / 8)
  const stated = blockAlign / channels
  const width = Number.isInteger(stated) && stated >= fitting && stated > 0 ? stated : fitting
  const kind = sampleFormat(tag, width)
  if (kind) return { format: kind, bigEndian, channels, sampleRate }
  if (tag === TAG_PCM || tag === TAG_FLOAT) {
    throw new DecodeError(
      `This WAV file is damaged or unusual: ${bits} bits in blocks of ${blockAlign} bytes for ` +
        `${channels} channels. audile reads integers of 1…32 bits and floats of 32 and 64 bits.`,
    )
  }
  const name = CODEC_NAMES[tag] ?? `format 0x${tag.toString(16).padStart(4, '0')}`
  throw new NoDecoder('wav', name)
}

function sampleFormat(tag: number, width: number): SampleFormat | undefined {
  if (tag === TAG_PCM) return width === 1 ? 'u8' : signedFormat(width)
  if (tag === TAG_FLOAT) return width === 4 ? 'f32' : width === 8 ? 'f64' : undefined
  if (tag === TAG_MULAW) return 'mulaw'
  if (tag === TAG_ALAW) return 'alaw'
  return undefined
}

/** Compression types of AIFF-C that determine the sample format by themselves. */
const COMPRESSION_FORMATS: Readonly<Record<string, SampleFormat>> = {
  fl32: 'f32',
  FL32: 'f32',
  fl64: 'f64',
  FL64: 'f64',
  in24: 's24',
  in32: 's32',
  ulaw: 'mulaw',
  ULAW: 'mulaw',
  alaw: 'alaw',
  ALAW: 'alaw',
  'raw ': 'u8',
}

/** Apple's AIFF and AIFF-C: integers of 1…32 bits in either byte order, float, double, μ-law, A-law. */
export async function openAiff(source: ByteSource): Promise<PcmStream> {
  const compressed = latin1(await source.read(8, 4)) === 'AIFC'
  let common: { layout: PcmLayout; frames: number } | undefined
  let sound: { start: number; bytes: number } | undefined
  for await (const chunk of readChunks(source, false)) {
    if (chunk.id === 'COMM') common = readCommon(await source.read(chunk.start, 22), compressed)
    else if (chunk.id === 'SSND') sound = await readSoundChunk(source, chunk)
    if (common && sound) break
  }
  if (!common) throw new DecodeError('This AIFF file has no COMM chunk, so its format is unknown.')
  if (!sound) throw new DecodeError('This AIFF file has no SSND chunk, so it holds no sound.')
  const { start, bytes } = sound
  const size = frameBytes(common.layout)
  const data = part(source, start, start + bytes)
  const truncated = data.size < bytes || Math.floor(data.size / size) < common.frames
  return pcmStream('aiff', data, common.layout, truncated)
}

async function readSoundChunk(source: ByteSource, { start: chunk, size }: IffChunk) {
  const head = await source.read(chunk, 8)
  const offset = head.length === 8 ? viewOf(head).getUint32(0) : 0
  const start = chunk + 8 + offset
  // Programs that stream may leave the size at 0.
  const bytes = size <= 8 ? source.size - start : size - 8 - offset
  return { start, bytes: Math.max(0, bytes) }
}

function readCommon(body: Uint8Array, compressed: boolean) {
  if (body.length < (compressed ? 22 : 18)) {
    throw new DecodeError(`This AIFF file is damaged: its COMM chunk ends early.`)
  }
  const fields = viewOf(body)
  const channels = fields.getUint16(0)
  const bits = fields.getUint16(6)
  const compression = compressed ? latin1(body, 18, 4) : 'NONE'
  const plain = ['NONE', 'twos', 'sowt'].includes(compression)
  const format = plain ? signedFormat(Math.ceil(bits / 8)) : COMPRESSION_FORMATS[compression]
  if (!format && plain) {
    throw new DecodeError(`This AIFF file has ${bits} bits per sample; audile reads 1…32.`)
  }
  if (!format) throw new NoDecoder('aiff', `compression "${compression}"`)
  if (channels === 0) throw new DecodeError('This AIFF file is damaged: it has 0 channels.')
  const sampleRate = readExtended(fields, 8)
  const layout = { format, bigEndian: compression !== 'sowt', channels, sampleRate }
  return { layout, frames: fields.getUint32(2) }
}

/** An 80-bit extended float (IEEE 754, x87) rounded to a whole number; 0 for NaN and infinities. */
function readExtended(fields: DataView, offset: number): number {
  const exponent = (fields.getUint16(offset) & 0x7fff) - 16_383
  const value = Number(fields.getBigUint64(offset + 2)) * 2 ** (exponent - 63)
  return Number.isFinite(value) ? Math.round(value) : 0
}

/** A file has a handful of chunks, and each takes a separate read. */
const MAX_FILE_CHUNKS = 10_000

interface IffChunk {
  id: string
  start: number
  /** Bytes of its content as stated, which may be more than the file has. */
  size: number
}

/** Whether numbers in a WAV or AIFF file have their low byte first. */
export async function isLittleEndian(source: ByteSource): Promise<boolean> {
  return !['FORM', 'RIFX'].includes(latin1(await source.read(0, 4)))
}

export async function* readChunks(
  source: ByteSource,
  littleEndian: boolean,
): AsyncGenerator<IffChunk, void> {
  let position = 12
  let longData = 0
  for (let count = 0; position + 8 <= source.size; count++) {
    if (count === MAX_FILE_CHUNKS) {
      throw new DecodeError(`This file is damaged: it has more than ${MAX_FILE_CHUNKS} chunks.`)
    }
    const head = await source.read(position, 8)
    if (head.length < 8) return
    const id = latin1(head, 0, 4)
    const start = position + 8
    let size = viewOf(head).getUint32(4, littleEndian)
    if (id === 'ds64') {
      const sizes = await source.read(start, 16)
      if (sizes.length === 16) longData = Number(viewOf(sizes).getBigUint64(8, true))
    }
    // RF64 and BW64 state the size of their data in ds64.
    if (id === 'data' && size === 0xffffffff && longData > 0) size = longData
    yield { id, start, size }
    position = start + size
    // Chunks start at even positions, but some writers forget it.
    if (size % 2 === 1 && !isLetter((await source.read(position, 1))[0])) position++
  }
}

function isLetter(byte = 0): boolean {
  return byte > 0x20 && byte < 0x7f
}

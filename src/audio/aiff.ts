import { DecodeError } from '../errors.ts'
import { type ByteSource, part } from './byte-source.ts'
import { frameBytes, type PcmLayout, readPcm, type SampleFormat, signedFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

/** Compression types of AIFC that fix the sample format by themselves. */
const FORMATS: Readonly<Record<string, SampleFormat>> = {
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

/** A file has a handful of chunks, and each is a read of its own. */
const MOST_CHUNKS = 10_000

interface Common {
  channels: number
  frames: number
  bits: number
  sampleRate: number
  compression: string
}

/** Apple's AIFF and AIFF-C: integers of 1…32 bits in either byte order, float, double, μ-law, A-law. */
export async function openAiff(source: ByteSource): Promise<PcmStream> {
  const { common, start, bytes } = await readChunks(source)
  const layout = layoutOf(common)
  const { format, channels, sampleRate } = layout
  const size = frameBytes(layout)
  const stated = common.frames || Math.floor(bytes / size)
  const frames = Math.min(stated, Math.floor(Math.min(bytes, source.size - start) / size))
  const data = part(source, start, start + frames * size)
  return {
    container: 'aiff',
    codec: format,
    decoder: 'pcm',
    sampleRate,
    channels,
    frames,
    blocks: (async function* () {
      yield* readPcm(data, layout)
      return frames < stated
    })(),
  }
}

async function readChunks(source: ByteSource) {
  const compressed = text(await source.read(8, 4)) === 'AIFC'
  let common: Common | undefined
  let sound: { start: number; bytes: number } | undefined
  let chunks = 0
  for (let position = 12; position + 8 <= source.size && !(common && sound); ) {
    if (++chunks > MOST_CHUNKS) {
      throw new DecodeError(`This AIFF file is damaged: it has more than ${MOST_CHUNKS} chunks.`)
    }
    const head = await source.read(position, 8)
    const id = text(head.subarray(0, 4))
    const size = view(head).getUint32(4)
    position += 8
    if (id === 'COMM') common = readCommon(await source.read(position, 22), compressed)
    else if (id === 'SSND') {
      const body = await source.read(position, 8)
      const offset = body.length === 8 ? view(body).getUint32(0) : 0
      // Streamed files may leave the size at 0 or at its maximum.
      const bytes = size <= 8 ? Number.POSITIVE_INFINITY : size - 8 - offset
      sound = { start: position + 8 + offset, bytes: Math.max(0, bytes) }
    }
    position += size + (size % 2)
  }
  if (!common) throw new DecodeError('This AIFF file has no COMM chunk, so its format is unknown.')
  if (!sound) throw new DecodeError('This AIFF file has no SSND chunk, so it holds no sound.')
  if (sound.bytes === Number.POSITIVE_INFINITY) sound.bytes = source.size - sound.start
  return { common, ...sound }
}

function readCommon(body: Uint8Array, compressed: boolean): Common {
  if (body.length < (compressed ? 22 : 18)) {
    throw new DecodeError(`This AIFF file is damaged: its COMM chunk ends early.`)
  }
  const fields = view(body)
  return {
    channels: fields.getUint16(0),
    frames: fields.getUint32(2),
    bits: fields.getUint16(6),
    sampleRate: extended(fields, 8),
    compression: compressed ? text(body.subarray(18, 22)) : 'NONE',
  }
}

/** An 80-bit extended float (IEEE 754, x87) to the nearest whole number; 0 for what is no finite number. */
function extended(fields: DataView, at: number): number {
  const exponent = (fields.getUint16(at) & 0x7fff) - 16_383
  const mantissa = fields.getUint32(at + 2) * 2 ** 32 + fields.getUint32(at + 6)
  const value = mantissa * 2 ** (exponent - 63)
  return Number.isFinite(value) ? Math.round(value) : 0
}

function layoutOf({ channels, bits, sampleRate, compression }: Common): PcmLayout {
  const whole = compression === 'NONE' || compression === 'twos' || compression === 'sowt'
  const format = whole ? signedFormat(Math.ceil(bits / 8)) : FORMATS[compression]
  if (!format && whole) {
    throw new DecodeError(`This AIFF file has ${bits} bits per sample; audile reads 1…32.`)
  }
  if (!format) throw new NoDecoder('aiff', `compression "${compression}"`)
  if (channels === 0) throw new DecodeError('This AIFF file is damaged: it has 0 channels.')
  return { format, bigEndian: compression !== 'sowt', channels, sampleRate }
}

function text(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

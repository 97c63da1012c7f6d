import { DecodeError } from '../errors.ts'
import { type ByteSource, part } from './byte-source.ts'
import { latin1, viewOf } from './bytes.ts'
import { type Chunk, chunks } from './chunks.ts'
import { frameBytes, type PcmLayout, pcmStream, type SampleFormat, signedFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

/** Compression types of AIFF-C that determine the sample format by themselves. */
const COMPRESSIONS: Readonly<Record<string, SampleFormat>> = {
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
  for await (const chunk of chunks(source, false)) {
    if (chunk.id === 'COMM') common = readCommon(await source.read(chunk.start, 22), compressed)
    else if (chunk.id === 'SSND') sound = await soundIn(source, chunk)
    if (common && sound) break
  }
  if (!common) throw new DecodeError('This AIFF file has no COMM chunk, so its format is unknown.')
  if (!sound) throw new DecodeError('This AIFF file has no SSND chunk, so it holds no sound.')
  const { start, bytes } = sound
  const size = frameBytes(common.layout)
  const stated = common.frames || Math.floor(bytes / size)
  const frames = Math.min(stated, Math.floor(Math.min(bytes, source.size - start) / size))
  const data = part(source, start, start + frames * size)
  return pcmStream('aiff', data, common.layout, frames < stated)
}

async function soundIn(source: ByteSource, { start: chunk, size }: Chunk) {
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
  const format = plain ? signedFormat(Math.ceil(bits / 8)) : COMPRESSIONS[compression]
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
function readExtended(fields: DataView, at: number): number {
  const exponent = (fields.getUint16(at) & 0x7fff) - 16_383
  const value = Number(fields.getBigUint64(at + 2)) * 2 ** (exponent - 63)
  return Number.isFinite(value) ? Math.round(value) : 0
}

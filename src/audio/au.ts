import { DecodeError } from '../values/errors.ts'
import { type ByteSource, part, viewOf } from './bytes.ts'
import { type PcmLayout, pcmStream, type SampleFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

export const AU_HEADER_BYTES = 24
const UNKNOWN_SIZE = 0xffffffff

/** The encodings of Sun's audio(7) header that are plain PCM. */
const ENCODINGS: Readonly<Record<number, SampleFormat>> = {
  1: 'mulaw',
  2: 's8',
  3: 's16',
  4: 's24',
  5: 's32',
  6: 'f32',
  7: 'f64',
  27: 'alaw',
}

interface AuHeader {
  layout: PcmLayout
  start: number
  /** Undefined when the writer did not know. */
  bytes: number | undefined
}

export function readAuHeader(head: Uint8Array): AuHeader {
  if (head.length < AU_HEADER_BYTES) {
    throw new DecodeError(
      `This AU file is damaged: its header ends after ${head.length} of 24 bytes.`,
    )
  }
  const fields = viewOf(head)
  const start = fields.getUint32(4)
  const size = fields.getUint32(8)
  const encoding = fields.getUint32(12)
  if (start < AU_HEADER_BYTES) {
    throw new DecodeError(`This AU file is damaged: its samples start at byte ${start}.`)
  }
  const format = ENCODINGS[encoding]
  if (!format) throw new NoDecoder('au', `encoding ${encoding}`)
  const layout = {
    format,
    bigEndian: true,
    sampleRate: fields.getUint32(16),
    channels: fields.getUint32(20),
  }
  return { layout, start, bytes: size === UNKNOWN_SIZE ? undefined : size }
}

/** The header of an AU file of 32-bit floats whose length is not known. */
export function auHeader(channels: number, sampleRate: number): Buffer {
  const header = Buffer.from('.snd'.padEnd(AU_HEADER_BYTES))
  for (const [i, value] of [AU_HEADER_BYTES, UNKNOWN_SIZE, 6, sampleRate, channels].entries()) {
    header.writeUInt32BE(value, 4 + 4 * i)
  }
  return header
}

/** Sun/NeXT AU: μ-law, A-law, integers of 8…32 bits, float and double. */
export async function openAu(source: ByteSource): Promise<PcmStream> {
  const { layout, start, bytes } = readAuHeader(await source.read(0, AU_HEADER_BYTES))
  const rest = Math.max(0, source.size - start)
  const data = part(source, start, start + Math.min(bytes ?? rest, rest))
  return pcmStream('au', data, layout, bytes !== undefined && bytes > rest)
}

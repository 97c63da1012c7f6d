import { DecodeError } from '../errors.ts'
import { type ByteSource, part } from './byte-source.ts'
import { frameBytes, type PcmLayout, readPcm, type SampleFormat } from './pcm.ts'
import { NoDecoder, type PcmStream } from './pcm-stream.ts'

const UNKNOWN_SIZE = 0xffffffff

/** The encodings of Sun's audio(7) header that are plain PCM. */
const FORMATS: Readonly<Record<number, SampleFormat>> = {
  1: 'mulaw',
  2: 's8',
  3: 's16',
  4: 's24',
  5: 's32',
  6: 'f32',
  7: 'f64',
  27: 'alaw',
}

/** What the first 24 bytes of an AU file say. */
export interface AuHeader {
  layout: PcmLayout
  /** Where the samples start. */
  start: number
  /** Bytes of samples; undefined when the writer did not know. */
  bytes: number | undefined
}

/** Reads an AU header (Sun's .snd, big-endian). @param head at least 24 bytes */
export function readAuHeader(head: Uint8Array): AuHeader {
  if (head.length < 24) {
    throw new DecodeError(
      `This AU file is damaged: its header ends after ${head.length} of 24 bytes.`,
    )
  }
  const fields = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const start = fields.getUint32(4)
  const size = fields.getUint32(8)
  const encoding = fields.getUint32(12)
  const channels = fields.getUint32(20)
  if (start < 24) {
    throw new DecodeError(`This AU file is damaged: its samples start at byte ${start}.`)
  }
  const format = FORMATS[encoding]
  if (!format) throw new NoDecoder('au', `encoding ${encoding}`)
  const layout = { format, bigEndian: true, channels, sampleRate: fields.getUint32(16) }
  return { layout, start, bytes: size === UNKNOWN_SIZE ? undefined : size }
}

/** Sun/NeXT AU: μ-law, A-law, integers of 8…32 bits, float and double. */
export async function openAu(source: ByteSource): Promise<PcmStream> {
  const { layout, start, bytes } = readAuHeader(await source.read(0, 24))
  const { format, channels, sampleRate } = layout
  const rest = Math.max(0, source.size - start)
  const data = part(source, start, start + Math.min(bytes ?? rest, rest))
  return {
    container: 'au',
    codec: format,
    decoder: 'pcm',
    sampleRate,
    channels,
    frames: channels > 0 ? Math.floor(data.size / frameBytes(layout)) : 0,
    blocks: (async function* () {
      yield* readPcm(data, layout)
      return bytes !== undefined && bytes > rest
    })(),
  }
}

import { DecodeError } from '../errors.ts'
import { type ByteSource, pieces } from './byte-source.ts'
import { type MpegFrame, MpegFrameCutter, mpegFrame } from './mpeg-frames.ts'
import { Mpg123 } from './mpg123.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** Bytes per step: about half a second at 256 kbit/s, a few milliseconds of work. */
const STEP_BYTES = 16_384
/** Where to give up looking for the first frame. */
const SEARCH_BYTES = 4 * 1024 * 1024

/**
 * MPEG audio layer III (and II) by mpg123.
 *
 * The frames are cut out here, so that tags, artwork and damage never reach the decoder. Encoder
 * delay and padding of a LAME tag are removed once, by mpg123, as ffmpeg does.
 */
export async function openMp3(source: ByteSource): Promise<PcmStream> {
  const cutter = new MpegFrameCutter()
  const steps = pieces(source, STEP_BYTES)
  let head: Uint8Array = new Uint8Array(0)
  let searched = 0
  for await (const bytes of { [Symbol.asyncIterator]: () => keepOpen(steps) }) {
    searched += bytes.length
    head = cutter.push(bytes)
    if (cutter.first || searched > SEARCH_BYTES) break
  }
  if (!cutter.first) head = cutter.end()
  const first = cutter.first
  if (!first) {
    throw new DecodeError(
      `No MPEG audio frames in the first ${searched} bytes: this is no MP3 file, or it is damaged.`,
    )
  }
  if (first.layer === 1) throw new NoDecoder('mp3', 'MPEG audio layer I')
  const stated = statedFrames(head, first)
  return {
    container: 'mp3',
    codec: `mp${first.layer}`,
    decoder: 'mpg123',
    sampleRate: first.sampleRate,
    channels: first.channels,
    ...(stated && { frames: stated * first.samples }),
    blocks: decodeFrames(steps, cutter, head, first, stated),
  }
}

async function* decodeFrames(
  steps: AsyncGenerator<Uint8Array, void>,
  cutter: MpegFrameCutter,
  head: Uint8Array,
  first: MpegFrame,
  stated: number | undefined,
): AsyncGenerator<PcmBlock, boolean, void> {
  const decoder = await Mpg123.create()
  try {
    yield* decoder.decode(head, first)
    for await (const bytes of steps) yield* decoder.decode(cutter.push(bytes), first)
    yield* decoder.decode(cutter.end(), first)
    // The frame that holds the Xing header is not among those it counts.
    return cutter.leftOver > 0 || (stated !== undefined && cutter.frames - 1 < stated)
  } finally {
    decoder.free()
  }
}

/** The number of frames in the Xing or Info header (of LAME and others) in the first frame, if it has one. */
function statedFrames(bytes: Uint8Array, first: MpegFrame): number | undefined {
  const frame = mpegFrame(bytes, 0)
  if (!frame || first.layer !== 3) return undefined
  // It stands where the main data would, behind the side information.
  const side =
    frame.version === 3 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17
  const at = 4 + side
  if (at + 12 > bytes.length) return undefined
  const name = String.fromCharCode(...bytes.subarray(at, at + 4))
  if (name !== 'Xing' && name !== 'Info') return undefined
  const fields = new DataView(bytes.buffer, bytes.byteOffset + at)
  return fields.getUint32(4) & 1 ? fields.getUint32(8) : undefined
}

/** The rest of a generator, which a loop may leave without ending it. */
function keepOpen<T>(generator: AsyncGenerator<T, void>): AsyncIterator<T> {
  return { next: () => generator.next() }
}

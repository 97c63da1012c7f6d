import { DecodeError } from '../errors.ts'
import { type ByteSource, pieces } from './byte-source.ts'
import { latin1, viewOf } from './bytes.ts'
import { type MpegFrame, MpegFrameCutter, mpegFrame } from './mpeg-frames.ts'
import { Mpg123 } from './mpg123.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** Bytes per step: about half a second at 256 kbit/s, a few milliseconds of work. */
const STEP_BYTES = 16_384
/** Bytes in which the first frame must begin. */
const SEARCH_BYTES = 4 * 1024 * 1024

/**
 * MPEG audio layers III and II.
 *
 * Frames are cut out here, so that tags, artwork and damage never reach mpg123. mpg123 removes the
 * encoder delay and padding that a LAME tag states, as ffmpeg does.
 */
export async function openMp3(source: ByteSource): Promise<PcmStream> {
  const cutter = new MpegFrameCutter()
  const steps = pieces(source, STEP_BYTES)
  let head: Uint8Array = new Uint8Array(0)
  let searched = 0
  while (!cutter.first && searched <= SEARCH_BYTES) {
    const { value: bytes } = await steps.next()
    if (!bytes) break
    searched += bytes.length
    head = cutter.push(bytes)
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
    // The Xing header does not count the frame that holds it.
    return cutter.leftOver > 0 || (stated !== undefined && cutter.frames - 1 < stated)
  } finally {
    decoder.free()
  }
}

/** The number of frames that the Xing or Info header in the first frame states, if it has one. */
function statedFrames(bytes: Uint8Array, first: MpegFrame): number | undefined {
  const frame = mpegFrame(bytes, 0)
  if (!frame || first.layer !== 3) return undefined
  // The header is where the main data would be, behind the side information.
  const [mono, stereo] = frame.version === 3 ? [17, 32] : [9, 17]
  const at = 4 + (frame.channels === 1 ? mono : stereo)
  if (at + 12 > bytes.length || !['Xing', 'Info'].includes(latin1(bytes, at, 4))) return undefined
  const fields = viewOf(bytes)
  return fields.getUint32(at + 4) & 1 ? fields.getUint32(at + 8) : undefined
}

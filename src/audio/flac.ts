import { DecodeError } from '../errors.ts'
import { type ByteSource, pieces } from './byte-source.ts'
import { FlacFrameCutter } from './flac-frames.ts'
import { LibFlac, type StreamInfo, streamInfo } from './libflac.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

/** Bytes per step; silence in 8 channels at 192 kHz makes 3 kB of samples of each. */
const STEP_BYTES = 8192
/** At most this many samples (of all channels) are decoded at once. */
const STEP_SAMPLES = 524_288
/** Blocks of metadata; a file has a handful, and each is a read of its own. */
const MOST_BLOCKS = 10_000

/** Native FLAC (RFC 9639) by libFLAC. Pictures and tags are passed over. */
export async function openFlac(source: ByteSource): Promise<PcmStream> {
  const info = streamInfo(await source.read(0, 42))
  if (!info) throw new DecodeError('This FLAC file is damaged: its STREAMINFO is incomplete.')
  return {
    container: 'flac',
    codec: 'flac',
    decoder: 'libflac',
    sampleRate: info.sampleRate,
    channels: info.channels,
    ...(info.frames > 0 && { frames: info.frames }),
    blocks: decodeFrames(source, await endOfMetadata(source), info),
  }
}

async function* decodeFrames(
  source: ByteSource,
  start: number,
  info: StreamInfo,
): AsyncGenerator<PcmBlock, boolean, void> {
  const cutter = new FlacFrameCutter(info)
  const decoder = await LibFlac.create(info)
  const together = Math.max(1, Math.floor(STEP_SAMPLES / ((info.maxBlock || 4096) * info.channels)))
  try {
    for await (const bytes of pieces(source, STEP_BYTES, start)) {
      const frames = cutter.push(bytes)
      for (let i = 0; i < frames.length; i += together) {
        const block = await decoder.decode(frames.slice(i, i + together))
        if (block) yield block
      }
    }
    const { frame, whole } = cutter.end()
    const block = frame && (await decoder.decode([frame]))
    if (block) yield block
    return !whole || cutter.lost || decoder.lost > 0 || cutter.samples < info.frames
  } finally {
    decoder.free()
  }
}

async function endOfMetadata(source: ByteSource): Promise<number> {
  let blocks = 0
  for (let position = 4; position + 4 <= source.size; ) {
    if (++blocks > MOST_BLOCKS) {
      throw new DecodeError(
        `This FLAC file is damaged: it has more than ${MOST_BLOCKS} blocks of metadata.`,
      )
    }
    const head = await source.read(position, 4)
    position += 4 + ((head[1]! << 16) | (head[2]! << 8) | head[3]!)
    if (head[0]! & 0x80) return position
  }
  throw new DecodeError('This FLAC file is damaged: it ends within its metadata.')
}

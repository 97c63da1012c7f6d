import { DecodeError } from '../values/errors.ts'
import { BitReader } from './bit-reader.ts'
import type { ByteSource } from './bytes.ts'
import { FlacBlocks, FlacFrameDecoder } from './flac-frame.ts'
import {
  MAX_HEADER_BYTES,
  readFrameHeader,
  readStreamInfo,
  type StreamInfo,
} from './flac-header.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

const FLAC_STEP_BYTES = 65_536
const LAST_FRAME_BYTES = 262_144
/** A file has a handful; each takes a read. */
const MAX_METADATA_BLOCKS = 10_000

export async function openFlacStream(source: ByteSource): Promise<PcmStream> {
  const info = readStreamInfo(await source.read(0, 42))
  if (!info) throw new DecodeError('This FLAC file is damaged: its STREAMINFO is incomplete.')
  const start = await endOfMetadata(source)
  const availableSamples = info.frames > 0 ? await countSamples(source, start, info) : undefined
  return {
    container: 'flac',
    codec: 'flac',
    decoder: 'flac',
    sampleRate: info.sampleRate,
    channels: info.channels,
    ...(availableSamples !== undefined && { frames: availableSamples }),
    blocks: decodeFlacFrames(source, start, info),
  }
}

/** By the numbers of the first and last frame; undefined where these do not tell. */
async function countSamples(
  source: ByteSource,
  start: number,
  info: StreamInfo,
): Promise<number | undefined> {
  const first = readFrameHeader(await source.read(start, MAX_HEADER_BYTES), 0, info)
  const size = Math.min(source.size - start, LAST_FRAME_BYTES)
  const lastBytes = await source.read(source.size - size, size)
  const bytes = Buffer.concat([lastBytes, new Uint8Array(BitReader.MARGIN + MAX_HEADER_BYTES)])
  const decoder = new FlacFrameDecoder(info)
  for (let offset = lastBytes.length - 1; first && offset >= 0; offset--) {
    offset = bytes.lastIndexOf(0xff, offset)
    if (offset < 0 || typeof decoder.decodeFrame(bytes, offset, lastBytes.length) === 'string')
      continue
    const last = readFrameHeader(bytes, offset, info)
    if (!last) return undefined
    // In a stream of equal frames the numbers count these.
    const unit = last.countsFrames ? info.blockSize : 1
    return unit > 0 ? (last.number - first.number) * unit + last.samples : undefined
  }
  return undefined
}

/** Damage continues at the next whole frame; what follows the last frame is skipped. */
async function* decodeFlacFrames(
  source: ByteSource,
  start: number,
  info: StreamInfo,
): AsyncGenerator<PcmBlock, boolean, void> {
  const decoder = new FlacFrameDecoder(info)
  const blocks = new FlacBlocks()
  /** The bytes from `offset` to `end`, where `position` is; zeros follow. */
  let bytes: Uint8Array = new Uint8Array(BitReader.MARGIN)
  let offset = 0
  let end = 0
  let position = start
  /** Reads until so many bytes are there, or the file ends. */
  const readAhead = async (needed: number) => {
    while (end - offset < needed && position < source.size) {
      const more = await source.read(position, Math.max(FLAC_STEP_BYTES, needed))
      // A file that was shortened meanwhile ends here.
      position = more.length === 0 ? source.size : position + more.length
      bytes = Buffer.concat([bytes.subarray(offset, end), more, new Uint8Array(BitReader.MARGIN)])
      offset = 0
      end = bytes.length - BitReader.MARGIN
    }
  }
  let samples = 0
  let isDamaged = false
  /** Skipped bytes count as damage if another frame follows. */
  let hasSkipped = false
  const usualBytes = Math.max(MAX_HEADER_BYTES, info.maxFrame)
  for (let needed = usualBytes; ; ) {
    await readAhead(needed)
    if (offset === end) break
    const frame = decoder.decodeFrame(bytes, offset, end)
    if (typeof frame === 'object') {
      const block = blocks.addFrame(frame)
      if (block) yield block
      samples += frame.samples
      isDamaged ||= hasSkipped
      hasSkipped = false
      offset = frame.end
      needed = usualBytes
    } else if (frame === 'incomplete' && position < source.size) {
      needed = 2 * (end - offset)
    } else {
      if (frame === 'none') hasSkipped = true
      else {
        isDamaged = true
        // Lets the caller check the elapsed time.
        yield EMPTY_BLOCK
      }
      offset = nextSync(bytes, offset, end)
      needed = MAX_HEADER_BYTES
    }
  }
  const lastBlock = blocks.endBlock()
  if (lastBlock) yield lastBlock
  return isDamaged || samples < info.frames
}

const EMPTY_BLOCK: PcmBlock = { channels: [], sampleRate: 0 }

/** The position of the next sync code (RFC 9639, 9.1), or of a last byte that may begin one. */
function nextSync(bytes: Uint8Array, offset: number, end: number): number {
  for (let i = offset + 1; i < end; i++) {
    if (bytes[i] === 0xff && (i + 1 === end || (bytes[i + 1]! & 0xfe) === 0xf8)) return i
  }
  return end
}

async function endOfMetadata(source: ByteSource): Promise<number> {
  let blocks = 0
  for (let position = 4; position + 4 <= source.size; ) {
    if (++blocks > MAX_METADATA_BLOCKS) {
      throw new DecodeError(
        `This FLAC file is damaged: it has more than ${MAX_METADATA_BLOCKS} blocks of metadata.`,
      )
    }
    const head = await source.read(position, 4)
    position += 4 + ((head[1]! << 16) | (head[2]! << 8) | head[3]!)
    if (head[0]! & 0x80) return position
  }
  throw new DecodeError('This FLAC file is damaged: it ends within its metadata.')
}

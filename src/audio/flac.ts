import { DecodeError } from '../values/errors.ts'
import { BitReader } from './bit-reader.ts'
import type { ByteSource } from './bytes.ts'
import { FlacBlocks, FlacFrameDecoder } from './flac-frame.ts'
import { frameHeader, MOST_HEADER_BYTES, type StreamInfo, streamInfo } from './flac-header.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

/** Bytes per read: some ten frames of CD quality. */
const STEP_BYTES = 65_536
/** Bytes at the end of a file in which its last frame begins. */
const LAST_BYTES = 262_144
/** Most blocks of metadata; a file has a handful, and each takes a separate read. */
const MOST_BLOCKS = 10_000

/** Native FLAC (RFC 9639). Pictures and tags are skipped. */
export async function openFlac(source: ByteSource): Promise<PcmStream> {
  const info = streamInfo(await source.read(0, 42))
  if (!info) throw new DecodeError('This FLAC file is damaged: its STREAMINFO is incomplete.')
  const start = await endOfMetadata(source)
  const availableSamples = info.frames > 0 ? await heldSamples(source, start, info) : undefined
  return {
    container: 'flac',
    codec: 'flac',
    decoder: 'flac',
    sampleRate: info.sampleRate,
    channels: info.channels,
    ...(availableSamples !== undefined && { frames: availableSamples }),
    blocks: decodeFrames(source, start, info),
  }
}

/** Samples from the first to the last frame, by their numbers; undefined where these do not tell. */
async function heldSamples(
  source: ByteSource,
  start: number,
  info: StreamInfo,
): Promise<number | undefined> {
  const first = frameHeader(await source.read(start, MOST_HEADER_BYTES), 0, info)
  const size = Math.min(source.size - start, LAST_BYTES)
  const read = await source.read(source.size - size, size)
  const bytes = Buffer.concat([read, new Uint8Array(BitReader.MARGIN + MOST_HEADER_BYTES)])
  const decoder = new FlacFrameDecoder(info)
  for (let at = read.length - 1; first && at >= 0; at--) {
    at = bytes.lastIndexOf(0xff, at)
    if (at < 0 || typeof decoder.decode(bytes, at, read.length) === 'string') continue
    const last = frameHeader(bytes, at, info)
    if (!last) return undefined
    // In a stream of equal frames the numbers count these.
    const unit = last.countsFrames ? info.blockSize : 1
    return unit > 0 ? (last.number - first.number) * unit + last.samples : undefined
  }
  return undefined
}

/**
 * Frame follows frame, each with a checksum. Where no frame begins, the stream is damaged and continues
 * at the next whole frame; whatever follows the last frame (a tag, for example) is skipped.
 */
async function* decodeFrames(
  source: ByteSource,
  start: number,
  info: StreamInfo,
): AsyncGenerator<PcmBlock, boolean, void> {
  const decoder = new FlacFrameDecoder(info)
  const blocks = new FlacBlocks()
  /** The bytes of the file from `at` to `end`, where `position` is; zeros follow. */
  let bytes: Uint8Array = new Uint8Array(BitReader.MARGIN)
  let at = 0
  let end = 0
  let position = start
  /** Reads until `needed` bytes are held, or the file ends. */
  const hold = async (needed: number) => {
    while (end - at < needed && position < source.size) {
      const more = await source.read(position, Math.max(STEP_BYTES, needed))
      // A file that was shortened during reading ends here.
      position = more.length === 0 ? source.size : position + more.length
      bytes = Buffer.concat([bytes.subarray(at, end), more, new Uint8Array(BitReader.MARGIN)])
      at = 0
      end = bytes.length - BitReader.MARGIN
    }
  }
  let samples = 0
  let lost = false
  /** Bytes after the last frame were skipped; they count as damage if another frame follows. */
  let skipped = false
  const usual = Math.max(MOST_HEADER_BYTES, info.maxFrame)
  for (let needed = usual; ; ) {
    await hold(needed)
    if (at === end) break
    const frame = decoder.decode(bytes, at, end)
    if (typeof frame === 'object') {
      const block = blocks.add(frame)
      if (block) yield block
      samples += frame.samples
      lost ||= skipped
      skipped = false
      at = frame.end
      needed = usual
    } else if (frame === 'incomplete' && position < source.size) {
      needed = 2 * (end - at)
    } else {
      if (frame === 'none') skipped = true
      else {
        lost = true
        // Decoding damaged frames takes time too: this lets the caller check the elapsed time.
        yield NOTHING
      }
      at = nextSync(bytes, at, end)
      needed = MOST_HEADER_BYTES
    }
  }
  const rest = blocks.end()
  if (rest) yield rest
  return lost || samples < info.frames
}

const NOTHING: PcmBlock = { channels: [], sampleRate: 0 }

/** The position of the next sync code (RFC 9639, 9.1), or of a last byte that may begin one. */
function nextSync(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    if (bytes[i] === 0xff && (i + 1 === end || (bytes[i + 1]! & 0xfe) === 0xf8)) return i
  }
  return end
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

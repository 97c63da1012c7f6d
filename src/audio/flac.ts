import { DecodeError } from '../errors.ts'
import { BitReader } from './bit-reader.ts'
import type { ByteSource } from './bytes.ts'
import { FlacBlocks, FlacFrameDecoder } from './flac-frame.ts'
import { MOST_HEADER_BYTES, type StreamInfo, streamInfo } from './flac-header.ts'
import type { PcmBlock, PcmStream } from './pcm-stream.ts'

/** Bytes per read: some ten frames of CD quality. */
const STEP_BYTES = 65_536
/** Blocks of metadata; a file has a handful, and each is a read of its own. */
const MOST_BLOCKS = 10_000

/** Native FLAC (RFC 9639). Pictures and tags are skipped. */
export async function openFlac(source: ByteSource): Promise<PcmStream> {
  const info = streamInfo(await source.read(0, 42))
  if (!info) throw new DecodeError('This FLAC file is damaged: its STREAMINFO is incomplete.')
  return {
    container: 'flac',
    codec: 'flac',
    decoder: 'flac',
    sampleRate: info.sampleRate,
    channels: info.channels,
    ...(info.frames > 0 && { frames: info.frames }),
    blocks: decodeFrames(source, await endOfMetadata(source), info),
  }
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
  const view = new SlidingView(source, start)
  let samples = 0
  let lost = false
  /** Bytes behind the last frame were skipped; they count as damage if another frame follows. */
  let skipped = false
  let needed = Math.max(MOST_HEADER_BYTES, info.maxFrame)
  for (;;) {
    await view.hold(needed)
    if (view.length === 0) break
    const frame = decoder.decode(view.bytes, view.at, view.end)
    if (typeof frame === 'object') {
      const block = blocks.add(frame)
      if (block) yield block
      samples += frame.samples
      lost ||= skipped
      skipped = false
      view.at = frame.end
      needed = Math.max(MOST_HEADER_BYTES, info.maxFrame)
    } else if (frame === 'incomplete' && !view.whole) {
      needed = 2 * view.length
    } else {
      if (frame === 'none') skipped = true
      else {
        lost = true
        // Decoding damaged frames takes time too: this lets the caller check the elapsed time.
        yield NOTHING
      }
      view.at = nextSync(view)
      needed = MOST_HEADER_BYTES
    }
  }
  const rest = blocks.end()
  if (rest) yield rest
  return lost || samples < info.frames
}

const NOTHING: PcmBlock = { channels: [], sampleRate: 0 }

/** The position of the next sync code (RFC 9639, 9.1), or of a last byte that may begin one. */
function nextSync({ bytes, at, end }: SlidingView): number {
  for (let i = at + 1; i < end; i++) {
    if (bytes[i] === 0xff && (i + 1 === end || (bytes[i + 1]! & 0xfe) === 0xf8)) return i
  }
  return end
}

/** The part of a source that the reader needs. */
class SlidingView {
  readonly #source: ByteSource
  /** Where in the source the view ends. */
  #position: number
  /** The bytes `at`…`end` are those of the view; {@link BitReader.MARGIN} zeros follow. */
  bytes: Uint8Array = new Uint8Array(STEP_BYTES + BitReader.MARGIN)
  at = 0
  end = 0

  constructor(source: ByteSource, start: number) {
    this.#source = source
    this.#position = start
  }

  get length(): number {
    return this.end - this.at
  }

  /** Whether the view reaches to the end of the source. */
  get whole(): boolean {
    return this.#position >= this.#source.size
  }

  /** Makes the view `needed` bytes long or longer, if the source is long enough. */
  async hold(needed: number): Promise<void> {
    while (this.length < needed && !this.whole) {
      const more = await this.#source.read(this.#position, Math.max(STEP_BYTES, needed))
      // A file that was shortened while it is read ends here.
      this.#position = more.length === 0 ? this.#source.size : this.#position + more.length
      const rest = this.bytes.subarray(this.at, this.end)
      const size = rest.length + more.length + BitReader.MARGIN
      const bytes = size > this.bytes.length ? new Uint8Array(size) : this.bytes
      bytes.set(rest)
      bytes.set(more, rest.length)
      bytes.fill(0, rest.length + more.length, size)
      this.bytes = bytes
      this.at = 0
      this.end = rest.length + more.length
    }
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

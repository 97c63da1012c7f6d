import { loadPackage } from '../kernel/load-package.ts'
import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1, pieces, READ_BYTES, viewOf } from './bytes.ts'
import { keepAwake } from './decoder-host.ts'
import { type MpegFrame, MpegFrameCutter, readMpegFrame } from './mpeg-frames.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** A few milliseconds of work. */
const MP3_STEP_BYTES = 65_536
const SEARCH_BYTES = 4 * 1024 * 1024

/** MPEG audio layers III and II. Frames are cut here, so tags and damage never reach mpg123. */
export async function openMp3(source: ByteSource): Promise<PcmStream> {
  const cutter = new MpegFrameCutter()
  const steps = pieces(source, MP3_STEP_BYTES)
  let head: Uint8Array = new Uint8Array(0)
  let searched = 0
  while (!cutter.first && searched <= SEARCH_BYTES) {
    const { value: bytes } = await steps.next()
    if (!bytes) break
    searched += bytes.length
    head = cutter.cutChunk(bytes)
  }
  if (!cutter.first) head = cutter.cutLast()
  const first = cutter.first
  if (!first) {
    throw new DecodeError(
      `No MPEG audio frames in the first ${searched} bytes: this is no MP3 file, or it is damaged.`,
    )
  }
  if (first.layer === 1) throw new NoDecoder('mp3', 'MPEG audio layer I')
  const header = readXingHeader(head, first)
  // Cutting takes a hundredth of the time that decoding takes.
  const availableFrames = header && (await countFrames(source))
  if (header && availableFrames !== undefined)
    header.state(framesForDecoder(header.frames, availableFrames))
  return {
    container: 'mp3',
    codec: `mp${first.layer}`,
    decoder: 'mpg123',
    sampleRate: first.sampleRate,
    channels: first.channels,
    ...(availableFrames !== undefined && { frames: availableFrames * first.samples }),
    blocks: decodeMp3Frames(steps, cutter, head, first, header?.frames),
  }
}

async function* decodeMp3Frames(
  steps: AsyncGenerator<Uint8Array, void>,
  cutter: MpegFrameCutter,
  head: Uint8Array,
  first: MpegFrame,
  statedFrames: number | undefined,
): AsyncGenerator<PcmBlock, boolean, void> {
  const mpg123 = await loadMpg123()
  try {
    yield* decodeWholeFrames(mpg123, head, first)
    for await (const bytes of steps) yield* decodeWholeFrames(mpg123, cutter.cutChunk(bytes), first)
    yield* decodeWholeFrames(mpg123, cutter.cutLast(), first)
    // Some writers count the frame that holds the header, and some do not.
    return cutter.leftOver > 0 || (statedFrames !== undefined && cutter.frames < statedFrames)
  } finally {
    mpg123.free()
  }
}

interface XingHeader {
  /** Frames that it promises, without its own; 0 when the writer did not know. */
  frames: number
  /** Changes the promise, in the bytes that the decoder gets. */
  state(frames: number): void
}

/** The Xing or Info header of the first frame, if it promises a number of frames. */
function readXingHeader(bytes: Uint8Array, first: MpegFrame): XingHeader | undefined {
  const frame = readMpegFrame(bytes, 0)
  if (!frame || first.layer !== 3) return undefined
  // The header is where the main data would be, after the side information.
  const [mono, stereo] = frame.version === 3 ? [17, 32] : [9, 17]
  const offset = 4 + (frame.channels === 1 ? mono : stereo)
  if (offset + 12 > bytes.length || !['Xing', 'Info'].includes(latin1(bytes, offset, 4)))
    return undefined
  const fields = viewOf(bytes)
  if ((fields.getUint32(offset + 4) & 1) === 0) return undefined
  return {
    frames: fields.getUint32(offset + 8),
    state: (frames) => fields.setUint32(offset + 8, frames),
  }
}

async function countFrames(source: ByteSource): Promise<number> {
  const cutter = new MpegFrameCutter()
  for await (const bytes of pieces(source, READ_BYTES)) cutter.cutChunk(bytes)
  cutter.cutLast()
  return cutter.frames - 1
}

/** The promise after which mpg123 removes padding where it lies, and no sound. */
function framesForDecoder(statedFrames: number, actualFrames: number): number {
  if (Math.abs(statedFrames - actualFrames) <= 1) return actualFrames
  // The end was cut off, or sound was added.
  return actualFrames + 2
}

const STATUS_NEED_MORE = -10
const STATUS_NEW_FORMAT = -11

interface DecoderRegion<T> {
  ptr: number
  len: number
  buf: T
}

/** Private fields of the package's decoder; package.json names one version. */
interface Mpg123 {
  _decoder: number
  _common: {
    wasm: {
      mpeg_decoder_feed(decoder: number, input: number, length: number): number
      /** Takes the decoder, the address and length of the output, and three more addresses. */
      mpeg_decoder_read(...values: number[]): number
    }
  }
  _input: DecoderRegion<Uint8Array>
  _output: DecoderRegion<Float32Array>
  _samplesDecodedPtr: DecoderRegion<Uint32Array>
  _sampleRatePtr: DecoderRegion<Uint32Array>
  _errorStringPtr: DecoderRegion<Uint32Array>
  free(): void
}

/** mpg123 (WebAssembly, package @audio/decode-mp3). */
async function loadMpg123(): Promise<Mpg123> {
  const { decoder } = await keepAwake(
    loadPackage('@audio/decode-mp3', () => import('@audio/decode-mp3')),
  )
  return (await keepAwake(decoder())) as unknown as Mpg123
}

/** The package's own loop repeats a failing read for ever; this one gives up on a chunk. */
function* decodeWholeFrames(
  mpg123: Mpg123,
  frames: Uint8Array,
  first: MpegFrame,
): Generator<PcmBlock, void> {
  const { _decoder: decoder, _input: input, _output: output, _sampleRatePtr: rate } = mpg123
  const { _samplesDecodedPtr: samples, _errorStringPtr: error } = mpg123
  const { wasm } = mpg123._common
  const addresses = [decoder, output.ptr, output.len, samples.ptr, rate.ptr, error.ptr]
  for (let offset = 0; offset < frames.length; offset += input.len) {
    const bytes = frames.subarray(offset, offset + input.len)
    input.buf.set(bytes)
    if (wasm.mpeg_decoder_feed(decoder, input.ptr, bytes.length) === STATUS_NEED_MORE) continue
    // A frame takes at least 24 bytes, so fewer reads than this give new sound.
    for (let reads = 0; reads < bytes.length; reads++) {
      samples.buf[0] = 0
      const status = wasm.mpeg_decoder_read(...addresses)
      const count = samples.buf[0] ?? 0
      if (count > 0) {
        const planar = [output.buf.subarray(0, count), output.buf.subarray(count, 2 * count)]
        yield blockOf(planar, rate.buf[0] ?? 0, first)
      }
      if (status !== STATUS_NEW_FORMAT && (status !== 0 || count === 0)) break
    }
  }
}

/** mpg123 always gives two channels: the equal ones of a mono file become one again. */
function blockOf(planar: Float32Array[], sampleRate: number, first: MpegFrame): PcmBlock {
  if (first.channels === 2) return { channels: planar, sampleRate }
  const [left, right] = planar as [Float32Array, Float32Array]
  // The mean, because a mono file may hold a stereo frame.
  for (let i = 0; i < left.length; i++) left[i] = (left[i]! + right[i]!) / 2
  return { channels: [left], sampleRate }
}

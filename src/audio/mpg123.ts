import { loadPackage } from '../load-package.ts'
import { keepAwake } from './keep-awake.ts'
import type { MpegFrame } from './mpeg-frames.ts'
import type { PcmBlock } from './pcm-stream.ts'
import { quietly } from './silence-console.ts'

const NEED_MORE = -10
const NEW_FORMAT = -11

interface Buffer<T> {
  ptr: number
  len: number
  buf: T
}

/** The private fields of the package's decoder that `Mpg123` uses. */
interface Internals {
  _decoder: number
  _common: {
    wasm: {
      mpeg_decoder_feed(decoder: number, input: number, length: number): number
      mpeg_decoder_read(
        decoder: number,
        output: number,
        length: number,
        samples: number,
        sampleRate: number,
        error: number,
      ): number
    }
  }
  _input: Buffer<Uint8Array>
  _output: Buffer<Float32Array>
  _samplesDecodedPtr: Buffer<Uint32Array>
  _sampleRatePtr: Buffer<Uint32Array>
  _errorStringPtr: Buffer<Uint32Array>
}

interface Decoder {
  decode(bytes: Uint8Array): { channelData: Float32Array[]; sampleRate: number }
  free(): void
}

/**
 * mpg123 (WebAssembly, package @audio/decode-mp3), fed with whole frames.
 *
 * The package's own loop repeats a failing read for ever and prints each failure. The loop here gives
 * up on a chunk at its first error; the package's own one runs only if its private fields have changed.
 */
export class Mpg123 {
  readonly #decoder: Decoder
  readonly #internals: Internals | undefined

  private constructor(decoder: Decoder) {
    this.#decoder = decoder
    this.#internals = internalsOf(decoder)
  }

  static async create(): Promise<Mpg123> {
    const { decoder } = await keepAwake(
      loadPackage('@audio/decode-mp3', () => import('@audio/decode-mp3')),
    )
    return new Mpg123(await keepAwake(decoder()))
  }

  /** Decodes whole frames of one stream. @param first states the true number of channels */
  *decode(frames: Uint8Array, first: MpegFrame): Generator<PcmBlock, void, void> {
    if (frames.length === 0) return
    if (!this.#internals) {
      const { channelData, sampleRate } = quietly(() => this.#decoder.decode(frames))
      if (channelData[0]?.length) yield blockOf(channelData, sampleRate, first)
      return
    }
    const { _input: input } = this.#internals
    for (let at = 0; at < frames.length; at += input.len) {
      const bytes = frames.subarray(at, at + input.len)
      input.buf.set(bytes)
      yield* this.#feed(this.#internals, bytes.length, first)
    }
  }

  free(): void {
    this.#decoder.free()
  }

  *#feed(inside: Internals, length: number, first: MpegFrame): Generator<PcmBlock, void, void> {
    const { wasm } = inside._common
    const { _output: output, _samplesDecodedPtr: samples, _sampleRatePtr: rate } = inside
    if (wasm.mpeg_decoder_feed(inside._decoder, inside._input.ptr, length) === NEED_MORE) return
    // A frame takes at least 24 bytes, so fewer reads than this give new sound.
    for (let reads = 0; reads < length; reads++) {
      samples.buf[0] = 0
      const status = wasm.mpeg_decoder_read(
        inside._decoder,
        output.ptr,
        output.len,
        samples.ptr,
        rate.ptr,
        inside._errorStringPtr.ptr,
      )
      const count = samples.buf[0] ?? 0
      if (count > 0) {
        const planar = [output.buf.slice(0, count), output.buf.slice(count, 2 * count)]
        yield blockOf(planar, rate.buf[0] ?? 0, first)
      }
      if (status !== NEW_FORMAT && (status !== 0 || count === 0)) return
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

function internalsOf(decoder: Decoder): Internals | undefined {
  const { _common, _input, _output, _samplesDecodedPtr, _sampleRatePtr, _errorStringPtr } =
    decoder as unknown as Partial<Internals>
  const buffers = [_input, _output, _samplesDecodedPtr, _sampleRatePtr, _errorStringPtr]
  const whole =
    typeof _common?.wasm?.mpeg_decoder_feed === 'function' &&
    typeof _common.wasm.mpeg_decoder_read === 'function' &&
    buffers.every((buffer) => buffer?.buf && buffer.len > 0)
  return whole ? (decoder as unknown as Internals) : undefined
}

import FFT from 'fft.js'
import { MONO_RATE } from '../audio/mono-stream.ts'
import { FrameCutter } from '../audio/samples.ts'

/** Hz. The sample rate of all features but loudness, and of the published format. */
export const ANALYSIS_RATE = MONO_RATE

/** Size and spacing of the front end's magnitude spectra, in samples. */
export const SPECTRA = Object.freeze({
  sampleRate: 22_050,
  size: 1_024,
  hop: 220,
})

/** Frames per second of every novelty curve. */
export const FRAME_RATE = SPECTRA.sampleRate / SPECTRA.hop

/** Magnitude spectra of a real signal, one at a time, without allocation. */
export class Spectrum {
  /** Magnitudes of bins 0…size/2, not scaled. Overwritten by the next transform. */
  readonly magnitudes: Float32Array
  readonly #fft: FFT
  readonly #window: Float64Array
  readonly #input: Float64Array
  readonly #output: Float64Array

  /** @param window - as many weights as a frame has samples, a power of two */
  constructor(window: Float64Array) {
    this.#window = window
    this.#fft = new FFT(window.length)
    this.#input = new Float64Array(window.length)
    this.#output = new Float64Array(2 * window.length)
    this.magnitudes = new Float32Array(window.length / 2 + 1)
  }

  /** The magnitude spectrum of the windowed frame that begins at `samples[at]`. */
  of(samples: Float32Array, at: number): Float32Array {
    const window = this.#window
    const input = this.#input
    const output = this.#output
    const magnitudes = this.magnitudes
    for (let i = 0; i < input.length; i++) input[i] = samples[at + i]! * window[i]!
    this.#fft.realTransform(output, input)
    for (let bin = 0, i = 0; bin < magnitudes.length; bin++, i += 2) {
      const re = output[i]!
      const im = output[i + 1]!
      magnitudes[bin] = Math.sqrt(re * re + im * im)
    }
    return magnitudes
  }
}

/**
 * Cuts a stream of samples into spectra: frame i is centred at sample i·hop, and the signal counts
 * as zero outside of itself. There are ceil(samples / hop) frames.
 */
export class SpectrumStream {
  readonly #cutter: FrameCutter
  readonly #hop: number
  #frames = 0
  #samples = 0

  /** @param take - receives each frame's magnitudes, valid until it returns */
  constructor(window: Float64Array, hop: number, take: (magnitudes: Float32Array) => void) {
    const spectrum = new Spectrum(window)
    this.#hop = hop
    this.#cutter = new FrameCutter(window.length, hop, (held, at) => {
      take(spectrum.of(held, at))
      this.#frames++
    })
  }

  push(samples: Float32Array): void {
    this.#samples += samples.length
    this.#cutter.push(samples)
  }

  finish(): void {
    const frames = Math.ceil(this.#samples / this.#hop)
    const silence = new Float32Array(this.#hop)
    while (this.#frames < frames) this.#cutter.push(silence)
  }
}

/** Triangular bands on a logarithmic frequency axis, as one flat weighting of spectrum bins. */
export interface LogBands {
  count: number
  /** Adds up a magnitude spectrum's bins into `out[at…at+count)`. */
  apply(magnitudes: Float32Array, out: Float32Array, at: number): void
}

/**
 * Lays out overlapping triangles whose corners are neighbouring centre bins. Where centres fall
 * on the same bin, as they do in the bass, one band is kept (the layout of SuperFlux, Böck &
 * Widmer, DAFx 2013). Triangles keep height 1, so a wide treble band weighs what it holds.
 */
export function logBands(layout: {
  sampleRate: number
  size: number
  bandsPerOctave: number
  lowest: number
  highest: number
}): LogBands {
  const binWidth = layout.sampleRate / layout.size
  const corners: number[] = []
  for (let step = 0; ; step++) {
    const frequency = layout.lowest * 2 ** (step / layout.bandsPerOctave)
    if (frequency > layout.highest) break
    const bin = Math.round(frequency / binWidth)
    if (corners.at(-1) !== bin) corners.push(bin)
  }
  const count = corners.length - 2
  const first = new Int32Array(count)
  const from = new Int32Array(count + 1)
  const weights: number[] = []
  for (let band = 0; band < count; band++) {
    const [left, centre, right] = [corners[band]!, corners[band + 1]!, corners[band + 2]!]
    first[band] = left + 1
    for (let bin = left + 1; bin < right; bin++)
      weights.push(
        bin <= centre ? (bin - left) / (centre - left) : (right - bin) / (right - centre),
      )
    from[band + 1] = weights.length
  }
  const flat = Float32Array.from(weights)
  return {
    count,
    apply(magnitudes, out, at) {
      for (let band = 0; band < count; band++) {
        let sum = 0
        let bin = first[band]!
        for (let w = from[band]!, end = from[band + 1]!; w < end; w++)
          sum += flat[w]! * magnitudes[bin++]!
        out[at + band] = sum
      }
    },
  }
}

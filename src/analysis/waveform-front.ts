import { grown } from '../audio/samples.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** The bands of a waveform, and where they meet. */
export const BANDS = Object.freeze({
  names: ['low', 'mid', 'high'] as const,
  /** Hz; the slopes are 12 dB an octave (Butterworth). */
  crossovers: [200, 2_000] as const,
})

/** Samples of the file in a stored pixel of the whole sound, and of a band. */
export const PIXEL = Object.freeze({ whole: 256, band: 512 })

/** A waveform at its finest zoom. */
export interface WaveformPeaks {
  /** Of the file, Hz. */
  sampleRate: number
  /** Samples in a channel. */
  samples: number
  /**
   * The whole sound, then the bands low, mid and high. A pixel has three bytes: the lowest and the
   * highest sample, signed, where full scale is 128, and the root mean square, where it is 255.
   */
  rows: Uint8Array[]
}

/** The coefficients of a low pass and a high pass of second order with the same poles. */
const CROSSOVERS = BANDS.crossovers.map((frequency) => {
  const k = Math.tan((Math.PI * frequency) / ANALYSIS_RATE)
  const a0 = 1 + Math.SQRT2 * k + k * k
  return {
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - Math.SQRT2 * k + k * k) / a0,
    below: (k * k) / a0,
    above: 1 / a0,
  }
}) as [Crossover, Crossover]

type Crossover = Record<'a1' | 'a2' | 'below' | 'above', number>

/**
 * The waveform of the mono mix as it streams by. The bands come from the mix at 22,050 Hz, so the
 * high one ends at 11 kHz.
 */
export class WaveformFront {
  readonly #whole = new PixelWriter()
  readonly #bands = BANDS.names.map(() => new PixelWriter())
  /** Of the filters, two for each crossover. */
  readonly #memory = new Float64Array(4)
  /** Samples at ANALYSIS_RATE in a pixel of a band. */
  readonly #bandPixel: number
  #samples = 0
  #bandSamples = 0
  /** Where the current pixels end. */
  #end = PIXEL.whole
  #bandEnd: number

  /** @param sampleRate - of the file, Hz */
  constructor(private readonly sampleRate: number) {
    this.#bandPixel = (PIXEL.band * ANALYSIS_RATE) / sampleRate
    this.#bandEnd = Math.ceil(this.#bandPixel)
  }

  /** Takes the next samples of the mix at the rate of the file. */
  push(mono: Float32Array): void {
    const { length } = mono
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#end - this.#samples)
      this.#whole.add(mono, from, to)
      this.#samples += to - from
      from = to
      if (this.#samples < this.#end) continue
      this.#whole.end()
      this.#end += PIXEL.whole
    }
  }

  /** Takes the next samples of the mix at ANALYSIS_RATE. */
  pushBands(mono: Float32Array): void {
    const { length } = mono
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#bandEnd - this.#bandSamples)
      this.#split(mono, from, to)
      this.#bandSamples += to - from
      from = to
      if (this.#bandSamples < this.#bandEnd) continue
      for (const band of this.#bands) band.end()
      this.#bandEnd = Math.ceil((this.#bands[0]!.pixels + 1) * this.#bandPixel)
    }
  }

  /**
   * Splits a stretch into the bands: at the lower crossover, and what is above it at the higher.
   * Each low and high pass share one recursion (direct form II), and all is in one loop, so that
   * the processor need not wait for either.
   */
  #split(mono: Float32Array, from: number, to: number): void {
    const { a1, a2, below, above } = CROSSOVERS[0]
    const { a1: c1, a2: c2, below: middleOf, above: highOf } = CROSSOVERS[1]
    // By index: destructuring an array calls an iterator.
    const memory = this.#memory
    let p1 = memory[0]!
    let p2 = memory[1]!
    let q1 = memory[2]!
    let q2 = memory[3]!
    const low = this.#bands[0]!
    const mid = this.#bands[1]!
    const high = this.#bands[2]!
    let { low: lowMin, high: lowMax, squares: lowSquares } = low
    let { low: midMin, high: midMax, squares: midSquares } = mid
    let { low: highMin, high: highMax, squares: highSquares } = high
    for (let i = from; i < to; i++) {
      const p = mono[i]! - a2 * p2 - a1 * p1
      const ends = p + p2
      const x = below * (ends + 2 * p1)
      const q = above * (ends - 2 * p1) - c2 * q2 - c1 * q1
      const others = q + q2
      const y = middleOf * (others + 2 * q1)
      const z = highOf * (others - 2 * q1)
      p2 = p1
      p1 = p
      q2 = q1
      q1 = q
      if (x < lowMin) lowMin = x
      if (x > lowMax) lowMax = x
      lowSquares += x * x
      if (y < midMin) midMin = y
      if (y > midMax) midMax = y
      midSquares += y * y
      if (z < highMin) highMin = z
      if (z > highMax) highMax = z
      highSquares += z * z
    }
    low.set(lowMin, lowMax, lowSquares, to - from)
    mid.set(midMin, midMax, midSquares, to - from)
    high.set(highMin, highMax, highSquares, to - from)
    memory[0] = flushed(p1)
    memory[1] = flushed(p2)
    memory[2] = flushed(q1)
    memory[3] = flushed(q2)
  }

  finish(): WaveformPeaks {
    const { sampleRate } = this
    const samples = this.#samples
    const bandPixels = Math.ceil(samples / PIXEL.band)
    const rows = [
      this.#whole.finish(Math.ceil(samples / PIXEL.whole)),
      ...this.#bands.map((band) => band.finish(bandPixels)),
    ]
    return { sampleRate, samples, rows }
  }
}

/** Bytes of a pixel. */
export const PIXEL_BYTES = 3

/** Gathers the pixels of one signal. */
class PixelWriter {
  pixels = 0
  /** Of the current pixel. */
  low = Number.POSITIVE_INFINITY
  high = Number.NEGATIVE_INFINITY
  squares = 0
  #count = 0
  #bytes = new Uint8Array(4_096)

  add(samples: Float32Array, from: number, to: number): void {
    let { low, high, squares } = this
    for (let i = from; i < to; i++) {
      const x = samples[i]!
      if (x < low) low = x
      if (x > high) high = x
      squares += x * x
    }
    this.set(low, high, squares, to - from)
  }

  /** @param more - samples that were added */
  set(low: number, high: number, squares: number, more: number): void {
    this.low = low
    this.high = high
    this.squares = squares
    this.#count += more
  }

  end(): void {
    const at = PIXEL_BYTES * this.pixels++
    this.#bytes = grown(this.#bytes, at + PIXEL_BYTES)
    this.#bytes[at] = eightBit(this.low)
    this.#bytes[at + 1] = eightBit(this.high)
    this.#bytes[at + 2] = Math.min(255, Math.round(255 * Math.sqrt(this.squares / this.#count)))
    this.set(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -this.#count)
  }

  /** @param pixels - how many are due; of two streams at two rates, one may end a sample later */
  finish(pixels: number): Uint8Array {
    if (this.#count > 0 && this.pixels < pixels) this.end()
    this.#bytes = grown(this.#bytes, PIXEL_BYTES * pixels)
    return this.#bytes.slice(0, PIXEL_BYTES * pixels)
  }
}

function eightBit(sample: number): number {
  return Math.max(-128, Math.min(127, Math.round(128 * sample)))
}

/** Denormal numbers after the music has stopped would slow every operation tenfold. */
function flushed(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value
}

import { grown } from '../audio/samples.ts'
import { ANALYSIS_RATE } from './spectra.ts'

export const WAVEFORM_BANDS = Object.freeze({
  names: ['low', 'mid', 'high'] as const,
  /** Hz; the slopes are 12 dB an octave (Butterworth). */
  crossovers: [200, 2_000] as const,
})

/** Samples of the file in a stored pixel of the whole sound, and of a band. */
export const PIXEL = Object.freeze({ whole: 256, band: 512 })

export interface WaveformPeaks {
  /** Of the file, Hz. */
  sampleRate: number
  samples: number
  /**
   * The whole sound, then low, mid and high. A pixel is three bytes: lowest and highest sample,
   * signed, and root mean square.
   */
  rows: Uint8Array[]
}

/** A low pass and a high pass of second order with the same poles. */
const CROSSOVERS = WAVEFORM_BANDS.crossovers.map((frequency) => {
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

/** Bands come from the mix at 22,050 Hz, so the high one ends at 11 kHz. */
export class WaveformFront {
  readonly #whole = new PixelWriter()
  readonly #bands = WAVEFORM_BANDS.names.map(() => new PixelWriter())
  readonly #memory = new Float64Array(4)
  /** Samples at ANALYSIS_RATE in a pixel of a band. */
  readonly #bandPixel: number
  #samples = 0
  #bandSamples = 0
  #end = PIXEL.whole
  #bandEnd: number

  /** @param sampleRate - of the file, Hz */
  constructor(private readonly sampleRate: number) {
    this.#bandPixel = (PIXEL.band * ANALYSIS_RATE) / sampleRate
    this.#bandEnd = Math.ceil(this.#bandPixel)
  }

  push(mono: Float32Array): void {
    const { length } = mono
    for (let start = 0; start < length; ) {
      const end = Math.min(length, start + this.#end - this.#samples)
      this.#whole.addSamples(mono, start, end)
      this.#samples += end - start
      start = end
      if (this.#samples < this.#end) continue
      this.#whole.endPixel()
      this.#end += PIXEL.whole
    }
  }

  pushBands(mono: Float32Array): void {
    const { length } = mono
    for (let start = 0; start < length; ) {
      const end = Math.min(length, start + this.#bandEnd - this.#bandSamples)
      this.#splitBands(mono, start, end)
      this.#bandSamples += end - start
      start = end
      if (this.#bandSamples < this.#bandEnd) continue
      for (const band of this.#bands) band.endPixel()
      this.#bandEnd = Math.ceil((this.#bands[0]!.pixels + 1) * this.#bandPixel)
    }
  }

  /**
   * Low and high pass share one recursion (direct form II), in one loop, so that the processor need
   * not wait for either.
   */
  #splitBands(mono: Float32Array, start: number, end: number): void {
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
    for (let i = start; i < end; i++) {
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
    low.setPixel(lowMin, lowMax, lowSquares, end - start)
    mid.setPixel(midMin, midMax, midSquares, end - start)
    high.setPixel(highMin, highMax, highSquares, end - start)
    memory[0] = flushDenormal(p1)
    memory[1] = flushDenormal(p2)
    memory[2] = flushDenormal(q1)
    memory[3] = flushDenormal(q2)
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

export const PIXEL_BYTES = 3

class PixelWriter {
  pixels = 0
  /** Of the current pixel. */
  low = Number.POSITIVE_INFINITY
  high = Number.NEGATIVE_INFINITY
  squares = 0
  #count = 0
  #bytes = new Uint8Array(4_096)

  addSamples(samples: Float32Array, start: number, end: number): void {
    let { low, high, squares } = this
    for (let i = start; i < end; i++) {
      const x = samples[i]!
      if (x < low) low = x
      if (x > high) high = x
      squares += x * x
    }
    this.setPixel(low, high, squares, end - start)
  }

  setPixel(low: number, high: number, squares: number, addedSamples: number): void {
    this.low = low
    this.high = high
    this.squares = squares
    this.#count += addedSamples
  }

  endPixel(): void {
    const offset = PIXEL_BYTES * this.pixels++
    this.#bytes = grown(this.#bytes, offset + PIXEL_BYTES)
    this.#bytes[offset] = eightBit(this.low)
    this.#bytes[offset + 1] = eightBit(this.high)
    this.#bytes[offset + 2] = Math.min(255, Math.round(255 * Math.sqrt(this.squares / this.#count)))
    this.setPixel(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -this.#count)
  }

  /** @param pixels - how many are due; of two streams at two rates, one may end a sample later */
  finish(pixels: number): Uint8Array {
    if (this.#count > 0 && this.pixels < pixels) this.endPixel()
    this.#bytes = grown(this.#bytes, PIXEL_BYTES * pixels)
    return this.#bytes.slice(0, PIXEL_BYTES * pixels)
  }
}

function eightBit(sample: number): number {
  return Math.max(-128, Math.min(127, Math.round(128 * sample)))
}

/** Denormal numbers after the music has stopped would slow every operation tenfold. */
function flushDenormal(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value
}

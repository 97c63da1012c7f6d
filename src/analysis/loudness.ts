import { grown } from '../audio/samples.ts'
import { type Loudness, measureLoudness, STEP } from './loudness-measures.ts'

/** A second-order filter's coefficients, a0 = 1. */
interface Biquad {
  b0: number
  b1: number
  b2: number
  a1: number
  a2: number
}

/**
 * The two filters of K-weighting, a high shelf and a high pass, for any sample rate. BS.1770 prints
 * coefficients for 48 kHz only; these are the analogue prototypes behind them under the bilinear
 * transform, and give the printed figures at 48 kHz.
 */
export function kWeighting(sampleRate: number): readonly [shelf: Biquad, highPass: Biquad] {
  return [highShelf(sampleRate), highPass(sampleRate)]
}

function highShelf(sampleRate: number): Biquad {
  const frequency = 1681.974450955533
  const gain = 10 ** (3.999843853973347 / 20)
  const q = 0.7071752369554196
  // Under 3.4 kHz the shelf lies above the Nyquist frequency: nothing is left to lift.
  if (frequency >= sampleRate / 2) return { b0: 1, b1: 0, b2: 0, a1: 0, a2: 0 }
  const k = Math.tan((Math.PI * frequency) / sampleRate)
  const middle = gain ** 0.4996667741545416
  const a0 = 1 + k / q + k * k
  return {
    b0: (gain + (middle * k) / q + k * k) / a0,
    b1: (2 * (k * k - gain)) / a0,
    b2: (gain - (middle * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  }
}

function highPass(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const q = 0.5003270373238773
  const a0 = 1 + k / q + k * k
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 }
}

/** |K(f)|², the power response of K-weighting at a frequency in Hz. */
export function kWeightedPower(sampleRate: number, frequency: number): number {
  const w = (2 * Math.PI * frequency) / sampleRate
  const part = (c0: number, c1: number, c2: number) =>
    (c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w)) ** 2 +
    (c1 * Math.sin(w) + c2 * Math.sin(2 * w)) ** 2
  return kWeighting(sampleRate).reduce(
    (power, { b0, b1, b2, a1, a2 }) => (power * part(b0, b1, b2)) / part(1, a1, a2),
    1,
  )
}

/**
 * How much each channel counts: 1 in front, 1.41 (+1.5 dB) at the sides, none for the bass effects
 * channel, in the order of wav and flac. In an unknown layout all channels count 1.
 */
export function channelWeights(channels: number): readonly number[] {
  const side = 1.41
  switch (channels) {
    case 4:
      return [1, 1, side, side]
    case 5:
      return [1, 1, 1, side, side]
    case 6:
      return [1, 1, 1, 0, side, side]
    case 7:
      return [1, 1, 1, 0, 1, side, side]
    case 8:
      return [1, 1, 1, 0, 1, 1, side, side]
    default:
      return new Array<number>(channels).fill(1)
  }
}

/**
 * Loudness (ITU-R BS.1770-4, EBU R 128), streaming: each channel is K-weighted by itself, before
 * any mix. Keeps one number for every 20 ms.
 */
export class LoudnessMeter {
  readonly #filters: readonly [Biquad, Biquad]
  readonly #weights: readonly number[]
  /** Filter memories, four for each channel. */
  readonly #memory: Float64Array
  readonly #stepLength: number
  /** Weighted sum of squares of each full step, and of the current one. */
  #steps = new Float64Array(4_096)
  #count = 0
  #running = 0
  #filled = 0

  constructor(sampleRate: number, channels: number) {
    this.#filters = kWeighting(sampleRate)
    this.#weights = channelWeights(channels)
    this.#memory = new Float64Array(4 * channels)
    this.#stepLength = Math.max(1, Math.round(STEP * sampleRate))
  }

  /** Takes the next samples of all channels, which are equally long. */
  push(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#stepLength - this.#filled)
      this.#running += this.#weighted(channels, from, to)
      this.#filled += to - from
      from = to
      if (this.#filled === this.#stepLength) this.#endStep()
    }
  }

  /** The measures of all pushed samples. */
  finish(): Loudness {
    const steps = this.#steps.subarray(0, this.#count)
    return measureLoudness(steps, this.#stepLength, { sum: this.#running, length: this.#filled })
  }

  /** Filters a stretch of all channels and adds up their weighted squares. */
  #weighted(channels: readonly Float32Array[], from: number, to: number): number {
    let sum = 0
    for (let c = 0; c < channels.length; c++) {
      const weight = this.#weights[c]!
      if (weight === 0) continue
      if (weight === this.#weights[c + 1]) {
        sum += weight * this.#power(channels, c, c + 1, from, to)
        c++
      } else sum += (weight / 2) * this.#power(channels, c, c, from, to)
    }
    return sum
  }

  /**
   * Filters a stretch of two channels and adds up their squares. Each sample of a channel waits for the
   * one before, and meanwhile the processor can filter the other channel. A single channel is given as
   * both: a third more than a loop of its own would take, 1 % of an analysis.
   */
  #power(channels: readonly Float32Array[], one: number, two: number, from: number, to: number) {
    const [left, right] = [channels[one]!, channels[two]!]
    const [shelf, pass] = this.#filters
    const { b0, b1, b2, a1: sa1, a2: sa2 } = shelf
    const { a1: pa1, a2: pa2 } = pass
    const memory = this.#memory
    const [at, beside] = [4 * one, 4 * two]
    let s1 = memory[at]!
    let s2 = memory[at + 1]!
    let p1 = memory[at + 2]!
    let p2 = memory[at + 3]!
    let t1 = memory[beside]!
    let t2 = memory[beside + 1]!
    let q1 = memory[beside + 2]!
    let q2 = memory[beside + 3]!
    let sum = 0
    let other = 0
    for (let i = from; i < to; i++) {
      const x = left[i]!
      const u = right[i]!
      const y = b0 * x + s1
      const v = b0 * u + t1
      s1 = b1 * x - sa1 * y + s2
      t1 = b1 * u - sa1 * v + t2
      s2 = b2 * x - sa2 * y
      t2 = b2 * u - sa2 * v
      const z = y + p1
      const w = v + q1
      p1 = -2 * y - pa1 * z + p2
      q1 = -2 * v - pa1 * w + q2
      p2 = y - pa2 * z
      q2 = v - pa2 * w
      sum += z * z
      other += w * w
    }
    memory[at] = flushed(s1)
    memory[at + 1] = flushed(s2)
    memory[at + 2] = flushed(p1)
    memory[at + 3] = flushed(p2)
    memory[beside] = flushed(t1)
    memory[beside + 1] = flushed(t2)
    memory[beside + 2] = flushed(q1)
    memory[beside + 3] = flushed(q2)
    return sum + other
  }

  #endStep(): void {
    if (this.#count === this.#steps.length) this.#steps = grown(this.#steps)
    this.#steps[this.#count++] = this.#running
    this.#running = 0
    this.#filled = 0
  }
}

/** Denormal numbers after the music has stopped would slow every operation tenfold. */
export function flushed(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value
}

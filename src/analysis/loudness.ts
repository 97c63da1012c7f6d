import { grown } from '../audio/samples.ts'

/** ITU-R BS.1770-4 and EBU R 128. */
export const LOUDNESS = Object.freeze({
  /** Seconds between blocks; blocks of 400 ms overlap by 75 %. */
  step: 0.1,
  stepsPerBlock: 4,
  /** Blocks quieter than this do not count, LUFS. */
  absoluteGate: -70,
  /** Blocks this far below the mean of the others do not count either, LU. */
  relativeGate: -10,
  /** Offset that makes a full-scale 997 Hz sine in one channel read -3.01 LUFS. */
  offset: -0.691,
  /** The published documents' floor for every loudness, dB. */
  floor: -60,
})

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
 * Integrated loudness (ITU-R BS.1770-4), streaming: each channel is K-weighted by itself, before
 * any mix. Keeps one number for every 100 ms.
 */
export class LoudnessMeter {
  readonly #filters: readonly [Biquad, Biquad]
  readonly #weights: readonly number[]
  /** Filter memories, four for each channel. */
  readonly #memory: Float64Array
  readonly #stepLength: number
  /** Weighted sum of squares of each full step, and of the current one. */
  #steps = new Float64Array(1_024)
  #count = 0
  #running = 0
  #filled = 0

  constructor(sampleRate: number, channels: number) {
    this.#filters = kWeighting(sampleRate)
    this.#weights = channelWeights(channels)
    this.#memory = new Float64Array(4 * channels)
    this.#stepLength = Math.max(1, Math.round(LOUDNESS.step * sampleRate))
  }

  /** Takes the next samples of all channels, which are equally long. */
  push(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#stepLength - this.#filled)
      for (let c = 0; c < channels.length; c++) {
        const weight = this.#weights[c]!
        if (weight > 0) this.#running += weight * this.#power(channels[c]!, c, from, to)
      }
      this.#filled += to - from
      from = to
      if (this.#filled === this.#stepLength) this.#endStep()
    }
  }

  /** The loudness of all pushed samples, LUFS; -Infinity when every block is gated. */
  finish(): number {
    const { stepsPerBlock, offset, absoluteGate, relativeGate } = LOUDNESS
    const blocks: number[] = []
    for (let i = stepsPerBlock; i <= this.#count; i++) {
      let sum = 0
      for (let j = i - stepsPerBlock; j < i; j++) sum += this.#steps[j]!
      blocks.push(sum / (stepsPerBlock * this.#stepLength))
    }
    if (blocks.length === 0) {
      // Shorter than one block: the whole of it is the block.
      let sum = this.#running
      for (let j = 0; j < this.#count; j++) sum += this.#steps[j]!
      blocks.push(sum / Math.max(1, this.#count * this.#stepLength + this.#filled))
    }
    const power = (level: number) => 10 ** ((level - offset) / 10)
    const audible = meanAbove(blocks, power(absoluteGate))
    const gate = Math.max(power(absoluteGate), audible * 10 ** (relativeGate / 10))
    return offset + 10 * Math.log10(meanAbove(blocks, gate))
  }

  /** Filters a stretch of one channel and adds up its squares. */
  #power(samples: Float32Array, channel: number, from: number, to: number): number {
    const [shelf, pass] = this.#filters
    const { b0, b1, b2, a1: sa1, a2: sa2 } = shelf
    const { a1: pa1, a2: pa2 } = pass
    const memory = this.#memory
    const at = 4 * channel
    let s1 = memory[at]!
    let s2 = memory[at + 1]!
    let p1 = memory[at + 2]!
    let p2 = memory[at + 3]!
    let sum = 0
    for (let i = from; i < to; i++) {
      // Transposed direct form II; the high pass has b = 1, -2, 1.
      const x = samples[i]!
      const y = b0 * x + s1
      s1 = b1 * x - sa1 * y + s2
      s2 = b2 * x - sa2 * y
      const z = y + p1
      p1 = -2 * y - pa1 * z + p2
      p2 = y - pa2 * z
      sum += z * z
    }
    // Denormal numbers after the music has stopped would slow every operation tenfold.
    memory[at] = flushed(s1)
    memory[at + 1] = flushed(s2)
    memory[at + 2] = flushed(p1)
    memory[at + 3] = flushed(p2)
    return sum
  }

  #endStep(): void {
    if (this.#count === this.#steps.length) this.#steps = grown(this.#steps)
    this.#steps[this.#count++] = this.#running
    this.#running = 0
    this.#filled = 0
  }
}

function flushed(value: number): number {
  return Math.abs(value) < 1e-30 ? 0 : value
}

function meanAbove(powers: readonly number[], gate: number): number {
  let sum = 0
  let count = 0
  for (const power of powers) {
    if (power > gate) {
      sum += power
      count++
    }
  }
  return count > 0 ? sum / count : 0
}

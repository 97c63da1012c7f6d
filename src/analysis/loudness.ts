import { grown } from '../audio/samples.ts'
import {
  instantiateModule,
  oncePerThread,
  reserveMemory,
  type WasmMemory,
} from '../audio/web-assembly.ts'
import { SIMD_MODULE } from './k-weighting/simd-module.ts'
import { BLOCK, type Loudness, measureLoudness, STEP } from './loudness-measures.ts'

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

/** Samples that are filtered at a time. */
const CHUNK = 8_192
/** Where the memory of two channels' filters and the samples lie in the kernel's memory. */
const FILTERS_AT = 1_024
const SAMPLES_AT = 2_048
/** Numbers that the filters of two channels remember. */
const REMEMBERED = 8

interface Kernel {
  readonly memory: WasmMemory
  power(...values: number[]): number
}

const kernelOfThread = oncePerThread(() => instantiateModule<Kernel>(SIMD_MODULE))

/**
 * Loudness (ITU-R BS.1770-4, EBU R 128), streaming: each channel is K-weighted by itself, before
 * any mix. Keeps one number for every 20 ms.
 */
export class LoudnessMeter {
  /** Coefficients, in the order in which kernel.as takes them. */
  readonly #filters: readonly number[]
  readonly #weights: readonly number[]
  /** What the filters of a channel and of the one behind it remember. */
  readonly #memory: readonly Float64Array[]
  readonly #stepLength: number
  readonly #blockLength: number
  /** Weighted sum of squares of each full step, and of the current one. */
  #steps = new Float64Array(4_096)
  #count = 0
  #running = 0
  #filled = 0

  constructor(sampleRate: number, channels: number) {
    const [{ b0, b1, b2, a1, a2 }, pass] = kWeighting(sampleRate)
    this.#filters = [b0, b1, b2, a1, a2, pass.a1, pass.a2]
    this.#weights = channelWeights(channels)
    this.#memory = Array.from({ length: channels }, () => new Float64Array(REMEMBERED))
    this.#stepLength = Math.max(1, Math.round(STEP * sampleRate))
    this.#blockLength = Math.round(BLOCK * sampleRate)
  }

  /** Takes the next samples of all channels, which are equally long. */
  push(channels: readonly Float32Array[]): void {
    const kernel = kernelOfThread()
    const length = channels[0]?.length ?? 0
    const buffer = reserveMemory(kernel.memory, SAMPLES_AT + 4 * CHUNK * channels.length)
    for (let at = 0; at < length; at += CHUNK) {
      const count = Math.min(CHUNK, length - at)
      channels.forEach((samples, c) => {
        const place = SAMPLES_AT + 4 * CHUNK * c
        new Float32Array(buffer, place, count).set(samples.subarray(at, at + count))
      })
      for (let from = 0; from < count; ) {
        const to = Math.min(count, from + this.#stepLength - this.#filled)
        this.#running += this.#weighted(kernel, from, to)
        this.#filled += to - from
        from = to
        if (this.#filled === this.#stepLength) this.#endStep()
      }
    }
  }

  /** The measures of all pushed samples; undefined for less than a block of them. */
  finish(): Loudness | undefined {
    if (this.#count * this.#stepLength + this.#filled < this.#blockLength) return undefined
    const steps = this.#steps.subarray(0, this.#count)
    return measureLoudness(steps, this.#stepLength, { sum: this.#running, length: this.#filled })
  }

  /** Filters a stretch of all channels and adds up their weighted squares. */
  #weighted(kernel: Kernel, from: number, to: number): number {
    const held = new Float64Array(kernel.memory.buffer, FILTERS_AT, REMEMBERED)
    let sum = 0
    for (let c = 0; c < this.#weights.length; c++) {
      const weight = this.#weights[c]!
      if (weight === 0) continue
      const isPair = weight === this.#weights[c + 1]
      held.set(this.#memory[c]!)
      const one = SAMPLES_AT + 4 * (CHUNK * c + from)
      // A single channel is given as both.
      const two = isPair ? one + 4 * CHUNK : one
      const power = kernel.power(FILTERS_AT, one, two, to - from, ...this.#filters)
      this.#memory[c]!.set(held)
      sum += (isPair ? weight : weight / 2) * power
      if (isPair) c++
    }
    return sum
  }

  #endStep(): void {
    if (this.#count === this.#steps.length) this.#steps = grown(this.#steps)
    this.#steps[this.#count++] = this.#running
    this.#running = 0
    this.#filled = 0
  }
}

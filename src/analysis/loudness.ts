import { grown } from '../audio/samples.ts'
import {
  instantiateModule,
  oncePerThread,
  reserveMemory,
  type WasmMemory,
} from '../audio/web-assembly.ts'
import { K_WEIGHTING_MODULE } from './k-weighting/simd-module.ts'
import {
  LOUDNESS_BLOCK,
  LOUDNESS_STEP,
  type Loudness,
  measureLoudness,
} from './loudness-measures.ts'

/** A second-order filter's coefficients, a0 = 1. */
interface Biquad {
  b0: number
  b1: number
  b2: number
  a1: number
  a2: number
}

/**
 * The two filters of K-weighting. BS.1770 prints coefficients for 48 kHz only; this is the bilinear
 * transform of their analogue prototypes.
 */
export function kWeighting(sampleRate: number): readonly [shelf: Biquad, highPass: Biquad] {
  return [highShelf(sampleRate), highPass(sampleRate)]
}

function highShelf(sampleRate: number): Biquad {
  const frequency = 1681.974450955533
  const gain = 10 ** (3.999843853973347 / 20)
  const q = 0.7071752369554196
  // Under 3.4 kHz the shelf lies above the Nyquist frequency.
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

export function kWeightedPower(sampleRate: number, frequency: number): number {
  const w = (2 * Math.PI * frequency) / sampleRate
  const powerOfTerms = (c0: number, c1: number, c2: number) =>
    (c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w)) ** 2 +
    (c1 * Math.sin(w) + c2 * Math.sin(2 * w)) ** 2
  return kWeighting(sampleRate).reduce(
    (power, { b0, b1, b2, a1, a2 }) => (power * powerOfTerms(b0, b1, b2)) / powerOfTerms(1, a1, a2),
    1,
  )
}

/**
 * The weight of each channel, in the order of wav and flac; 1 for all channels of an unknown
 * layout.
 */
export function channelWeights(channels: number): readonly number[] {
  const sideWeight = 1.41
  switch (channels) {
    case 4:
      return [1, 1, sideWeight, sideWeight]
    case 5:
      return [1, 1, 1, sideWeight, sideWeight]
    case 6:
      return [1, 1, 1, 0, sideWeight, sideWeight]
    case 7:
      return [1, 1, 1, 0, 1, sideWeight, sideWeight]
    case 8:
      return [1, 1, 1, 0, 1, 1, sideWeight, sideWeight]
    default:
      return new Array<number>(channels).fill(1)
  }
}

const FILTERED_SAMPLES = 8_192
/** Offsets in the kernel's memory. */
const FILTER_MEMORY_AT = 1_024
const FILTER_SAMPLES_AT = 2_048
const FILTER_MEMORY = 8

interface KWeightingKernel {
  readonly memory: WasmMemory
  power(...values: number[]): number
}

const kWeightingOfThread = oncePerThread(() =>
  instantiateModule<KWeightingKernel>(K_WEIGHTING_MODULE),
)

/** Loudness (ITU-R BS.1770-4, EBU R 128): channels are K-weighted before any mix. */
export class LoudnessMeter {
  /** Coefficients, in the order in which kernel.as takes them. */
  readonly #filters: readonly number[]
  readonly #weights: readonly number[]
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
    this.#memory = Array.from({ length: channels }, () => new Float64Array(FILTER_MEMORY))
    this.#stepLength = Math.max(1, Math.round(LOUDNESS_STEP * sampleRate))
    this.#blockLength = Math.round(LOUDNESS_BLOCK * sampleRate)
  }

  /** Takes the next samples of all channels, which are equally long. */
  push(channels: readonly Float32Array[]): void {
    const kernel = kWeightingOfThread()
    const length = channels[0]?.length ?? 0
    const buffer = reserveMemory(
      kernel.memory,
      FILTER_SAMPLES_AT + 4 * FILTERED_SAMPLES * channels.length,
    )
    for (let chunkStart = 0; chunkStart < length; chunkStart += FILTERED_SAMPLES) {
      const count = Math.min(FILTERED_SAMPLES, length - chunkStart)
      channels.forEach((samples, c) => {
        const address = FILTER_SAMPLES_AT + 4 * FILTERED_SAMPLES * c
        new Float32Array(buffer, address, count).set(
          samples.subarray(chunkStart, chunkStart + count),
        )
      })
      for (let start = 0; start < count; ) {
        const end = Math.min(count, start + this.#stepLength - this.#filled)
        this.#running += this.#weightedPower(kernel, start, end)
        this.#filled += end - start
        start = end
        if (this.#filled === this.#stepLength) this.#endStep()
      }
    }
  }

  /** Undefined for less than a block of 400 ms. */
  finish(): Loudness | undefined {
    if (this.#count * this.#stepLength + this.#filled < this.#blockLength) return undefined
    const steps = this.#steps.subarray(0, this.#count)
    return measureLoudness(steps, this.#stepLength, { sum: this.#running, length: this.#filled })
  }

  #weightedPower(kernel: KWeightingKernel, start: number, end: number): number {
    const filterMemory = new Float64Array(kernel.memory.buffer, FILTER_MEMORY_AT, FILTER_MEMORY)
    let sum = 0
    for (let c = 0; c < this.#weights.length; c++) {
      const weight = this.#weights[c]!
      if (weight === 0) continue
      const isPair = weight === this.#weights[c + 1]
      filterMemory.set(this.#memory[c]!)
      const firstSamples = FILTER_SAMPLES_AT + 4 * (FILTERED_SAMPLES * c + start)
      // The kernel takes two channels; a single one is passed twice.
      const secondSamples = isPair ? firstSamples + 4 * FILTERED_SAMPLES : firstSamples
      const power = kernel.power(
        FILTER_MEMORY_AT,
        firstSamples,
        secondSamples,
        end - start,
        ...this.#filters,
      )
      this.#memory[c]!.set(filterMemory)
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

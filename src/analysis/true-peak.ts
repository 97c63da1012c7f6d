import { instantiateModule, oncePerThread, type WasmMemory } from '../audio/web-assembly.ts'
import { TRUE_PEAK_MODULE } from './true-peak/simd-module.ts'

/**
 * Two phases of the interpolator of ITU-R BS.1770-4, annex 2; the other two are their mirror
 * images.
 */
const OUTER_TAPS = Float64Array.of(
  ...[0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125],
  ...[-0.0594482421875, 0.1373291015625, 0.97216796875, -0.102294921875],
  ...[0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125],
)
const INNER_TAPS = Float64Array.of(
  ...[-0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125],
  ...[-0.16650390625, 0.465087890625, 0.77978515625, -0.2003173828125],
  ...[0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375],
)
const TAP_COUNT = OUTER_TAPS.length
/** Samples before a sample that its interpolated values depend on. */
const PAST = TAP_COUNT - 1
/** The window's sample before the place that is interpolated. */
const LEFT = TAP_COUNT / 2 - 1

/**
 * Bounds that let the kernel skip windows: `gain` by the largest sample, `centre` and `slope` by
 * the middle samples and the largest step.
 */
const BOUNDS = [OUTER_TAPS, INNER_TAPS].reduce(
  (bounds, taps) => {
    const distanceFromMiddle = (k: number) => Math.max(0, LEFT - k, k - LEFT - 1)
    const sumOfTaps = (tapValue: (tap: number, k: number) => number) =>
      taps.reduce((sum, tap, k) => sum + tapValue(tap, k), 0)
    const sumOfSide = (isSide: (k: number) => boolean) =>
      sumOfTaps((tap, k) => (isSide(k) ? tap : 0))
    return {
      gain: Math.max(bounds.gain, sumOfTaps(Math.abs)),
      centre: Math.max(
        bounds.centre,
        Math.abs(sumOfSide((k) => k <= LEFT)) + Math.abs(sumOfSide((k) => k > LEFT)),
      ),
      slope: Math.max(
        bounds.slope,
        sumOfTaps((tap, k) => Math.abs(tap) * distanceFromMiddle(k)),
      ),
    }
  },
  { gain: 0, centre: 0, slope: 0 },
)

const EXAMINED_SAMPLES = 8_192
const TAPS_AT = 1_024
const PEAK_SAMPLES_AT = 2_048
/** Samples that the kernel reads beyond those asked for. */
const SPARE = 44

interface TruePeakKernel {
  readonly memory: WasmMemory
  truePeak(...values: number[]): number
}

const truePeakOfThread = oncePerThread(() => {
  const kernel = instantiateModule<TruePeakKernel>(TRUE_PEAK_MODULE)
  const taps = new Float64Array(kernel.memory.buffer, TAPS_AT)
  for (let k = 0, back = PAST; k < TAP_COUNT; k++, back--)
    taps.set([OUTER_TAPS[k]!, INNER_TAPS[k]!, INNER_TAPS[back]!, OUTER_TAPS[back]!], 4 * k)
  return kernel
})

/** The true peak of all channels (ITU-R BS.1770-4, annex 2). */
export class TruePeakMeter {
  #peak = 0
  readonly #past: readonly Float32Array[]

  constructor(channels: number) {
    this.#past = Array.from({ length: channels }, () => new Float32Array(PAST))
  }

  push(channels: readonly Float32Array[]): void {
    for (let c = 0; c < channels.length; c++)
      for (let start = 0; start < channels[c]!.length; start += EXAMINED_SAMPLES)
        this.#takeSamples(channels[c]!.subarray(start, start + EXAMINED_SAMPLES), this.#past[c]!)
  }

  /** The largest magnitude; full scale is 1. */
  finish(): number {
    const silence = new Float32Array(PAST)
    for (const past of this.#past) this.#takeSamples(silence, past)
    return this.#peak
  }

  #takeSamples(samples: Float32Array, past: Float32Array): void {
    const { memory, truePeak } = truePeakOfThread()
    const { length } = samples
    const buffer = new Float32Array(memory.buffer, PEAK_SAMPLES_AT, PAST + length + SPARE)
    buffer.set(past)
    buffer.set(samples, PAST)
    buffer.fill(0, PAST + length)
    const { gain, centre, slope } = BOUNDS
    this.#peak = truePeak(PEAK_SAMPLES_AT, length, TAPS_AT, gain, centre, slope, this.#peak)
    past.set(buffer.subarray(length, length + PAST))
  }
}

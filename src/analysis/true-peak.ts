import { instantiateModule, oncePerThread, type WasmMemory } from '../audio/web-assembly.ts'
import { SIMD_MODULE } from './true-peak/simd-module.ts'

/**
 * Two of the four phases of the interpolator of ITU-R BS.1770-4, annex 2; the other two are their
 * mirror images.
 */
const OUTER = Float64Array.of(
  ...[0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125],
  ...[-0.0594482421875, 0.1373291015625, 0.97216796875, -0.102294921875],
  ...[0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125],
)
const INNER = Float64Array.of(
  ...[-0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125],
  ...[-0.16650390625, 0.465087890625, 0.77978515625, -0.2003173828125],
  ...[0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375],
)
const TAPS = OUTER.length
/** Samples before a sample that its interpolated values depend on. */
const PAST = TAPS - 1
/** The window's sample before the place that is interpolated. */
const LEFT = TAPS / 2 - 1

/**
 * Bounds of the interpolated values: at most `gain` times the largest sample of the window; and at
 * most `centre` times the larger of the two middle samples, plus `slope` times the largest
 * difference between neighbours. The second holds because each other sample is a middle one plus
 * as many differences as it is away from it.
 */
const BOUNDS = [OUTER, INNER].reduce(
  (bounds, taps) => {
    const away = (k: number) => Math.max(0, LEFT - k, k - LEFT - 1)
    const total = (part: (tap: number, k: number) => number) =>
      taps.reduce((sum, tap, k) => sum + part(tap, k), 0)
    const side = (isSide: (k: number) => boolean) => total((tap, k) => (isSide(k) ? tap : 0))
    return {
      gain: Math.max(bounds.gain, total(Math.abs)),
      centre: Math.max(
        bounds.centre,
        Math.abs(side((k) => k <= LEFT)) + Math.abs(side((k) => k > LEFT)),
      ),
      slope: Math.max(
        bounds.slope,
        total((tap, k) => Math.abs(tap) * away(k)),
      ),
    }
  },
  { gain: 0, centre: 0, slope: 0 },
)

/** Samples that are looked at in one call. */
const CHUNK = 8_192
/** Where the taps and the samples lie in the kernel's memory. */
const TAPS_AT = 1_024
const SAMPLES_AT = 2_048
/** Samples that the kernel reads beyond those asked for. */
const SPARE = 44

interface Kernel {
  readonly memory: WasmMemory
  truePeak(...values: number[]): number
}

const kernelOfThread = oncePerThread(() => {
  const kernel = instantiateModule<Kernel>(SIMD_MODULE)
  const taps = new Float64Array(kernel.memory.buffer, TAPS_AT)
  for (let k = 0, back = PAST; k < TAPS; k++, back--)
    taps.set([OUTER[k]!, INNER[k]!, INNER[back]!, OUTER[back]!], 4 * k)
  return kernel
})

/**
 * The true peak of all channels (ITU-R BS.1770-4, annex 2), streaming: the largest magnitude of the
 * samples and of four values interpolated around each.
 */
export class TruePeakMeter {
  #peak = 0
  /** The last samples of each channel. */
  readonly #past: readonly Float32Array[]

  constructor(channels: number) {
    this.#past = Array.from({ length: channels }, () => new Float32Array(PAST))
  }

  /** Takes the next samples of all channels, which are finite. */
  push(channels: readonly Float32Array[]): void {
    for (let c = 0; c < channels.length; c++)
      for (let from = 0; from < channels[c]!.length; from += CHUNK)
        this.#take(channels[c]!.subarray(from, from + CHUNK), this.#past[c]!)
  }

  /** The largest magnitude; full scale is 1. */
  finish(): number {
    const silence = new Float32Array(PAST)
    for (const past of this.#past) this.#take(silence, past)
    return this.#peak
  }

  #take(samples: Float32Array, past: Float32Array): void {
    const { memory, truePeak } = kernelOfThread()
    const { length } = samples
    const all = new Float32Array(memory.buffer, SAMPLES_AT, PAST + length + SPARE)
    all.set(past)
    all.set(samples, PAST)
    all.fill(0, PAST + length)
    const { gain, centre, slope } = BOUNDS
    this.#peak = truePeak(SAMPLES_AT, length, TAPS_AT, gain, centre, slope, this.#peak)
    past.set(all.subarray(length, length + PAST))
  }
}

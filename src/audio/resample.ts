import {
  bank,
  convolve,
  decimate,
  halfBand,
  halfLength,
  interpolate,
  TABLE_PHASES,
} from './polyphase.ts'
import { grown } from './samples.ts'

/** Most phases of an exact ratio; with more, phases are interpolated from a table. */
const MAX_EXACT_PHASES = 1024

/**
 * A streaming sample-rate converter for one channel: a polyphase FIR low-pass (Kaiser-windowed
 * sinc, Oppenheim & Schafer, "Discrete-Time Signal Processing", 7.5).
 *
 * Flat within 0.1 dB up to 0.85 of the lower Nyquist frequency; what lies above 1.15 of it is at
 * least 90 dB down, so aliases reach down to 0.85 of the new Nyquist frequency at most.
 *
 * Output sample n lies at input time n·fromRate/toRate exactly (no delay), and for `frames` input
 * samples there are ceil(frames·toRate/fromRate) output samples. Outside of the input the signal
 * counts as 0. The output is bit-identical however the input is cut into pushes.
 */
export class Resampler {
  /** Input samples a filter reaches to either side of its centre. */
  readonly #reach: number
  readonly #up: number
  readonly #down: number
  readonly #kernel: 'copy' | 'half' | 'exact' | 'interpolated'
  readonly #taps: Float64Array
  #history: Float64Array
  /** Samples in the history; its first lies at input time `#origin`. */
  #held: number
  #origin: number
  /** Input samples received. */
  #received = 0
  /** Centre (input time, whole part) and phase (of `#up`) of the next output sample. */
  #centre = 0
  #phase = 0
  #out = new Float32Array(0)

  /** @throws RangeError unless both rates are positive integers (hertz) */
  constructor(fromRate: number, toRate: number) {
    if (!(Number.isSafeInteger(fromRate) && fromRate > 0)) throw badRate('fromRate', fromRate)
    if (!(Number.isSafeInteger(toRate) && toRate > 0)) throw badRate('toRate', toRate)
    const divisor = gcd(fromRate, toRate)
    this.#up = toRate / divisor
    this.#down = fromRate / divisor
    const low = Math.min(1, toRate / fromRate)
    const half = halfLength(low)
    if (this.#up === this.#down) {
      this.#kernel = 'copy'
      this.#reach = 0
      this.#taps = new Float64Array(0)
    } else if (this.#up === 1 && this.#down === 2) {
      // A half-band filter: every second tap is 0 and the rest is symmetric. The pairs at 1, 3, 5 …
      // reach come out even in number.
      this.#kernel = 'half'
      this.#reach = Math.ceil((half + 1) / 4) * 4 - 1
      this.#taps = halfBand(this.#reach)
    } else {
      this.#kernel = this.#up <= MAX_EXACT_PHASES ? 'exact' : 'interpolated'
      // A multiple of 2, as the inner loops take 4 of the 2·reach taps at a time.
      this.#reach = Math.ceil(half / 2) * 2
      const phases = this.#kernel === 'exact' ? this.#up : TABLE_PHASES
      this.#taps = bank(phases, this.#reach, low, this.#kernel === 'interpolated')
    }
    this.#history = new Float64Array(Math.max(1024, 4 * this.#reach))
    this.#held = this.#reach
    this.#origin = -this.#reach
  }

  /**
   * Takes the next samples.
   *
   * @returns the output samples that are complete, valid until the next call
   */
  push(input: Float32Array): Float32Array {
    if (this.#kernel === 'copy') return input
    this.#received += input.length
    this.#makeRoom(input.length)
    this.#history.set(input, this.#held)
    this.#held += input.length
    return this.#run()
  }

  /** Ends the signal and returns the rest. */
  flush(): Float32Array {
    if (this.#kernel === 'copy') return this.#out
    const due = Math.ceil((this.#received * this.#up) / this.#down)
    const made = Math.round((this.#centre * this.#up + this.#phase) / this.#down)
    return this.push(new Float32Array(this.#reach + 1)).subarray(0, Math.max(0, due - made))
  }

  /** Drops samples that no filter needs any more and makes room for `count` new ones. */
  #makeRoom(count: number): void {
    const used = Math.min(this.#centre - this.#reach - this.#origin, this.#held)
    if (used > 0) {
      this.#history.copyWithin(0, used, this.#held)
      this.#held -= used
      this.#origin += used
    }
    if (this.#held + count > this.#history.length) {
      this.#history = grown(this.#history, 2 * (this.#held + count))
    }
  }

  #run(): Float32Array {
    // The last centre whose filter is covered: centre + reach is still in the history.
    const last = this.#origin + this.#held - 1 - this.#reach
    const span = last - this.#centre + 1
    if (span <= 0) return this.#out.subarray(0, 0)
    const count = Math.ceil((span * this.#up - this.#phase) / this.#down)
    if (this.#out.length < count) this.#out = new Float32Array(count + 64)
    const at = this.#centre - this.#origin
    if (this.#kernel === 'half') decimate(this.#history, at, this.#taps, this.#out, count)
    else {
      const kernel = this.#kernel === 'exact' ? convolve : interpolate
      // Taps of a phase cover centre − reach + 1 … centre + reach.
      const first = at - this.#reach + 1
      const width = 2 * this.#reach
      const [up, down, phase] = [this.#up, this.#down, this.#phase]
      kernel(this.#history, first, this.#taps, width, up, down, phase, this.#out, count)
    }
    const moved = this.#phase + count * this.#down
    this.#centre += Math.floor(moved / this.#up)
    this.#phase = moved % this.#up
    return this.#out.subarray(0, count)
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

function badRate(name: string, value: number): RangeError {
  return new RangeError(`${name} must be a positive whole number of hertz, not ${value}.`)
}

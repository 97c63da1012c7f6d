import { bank, HALF_BAND, halfLength, TABLE_PHASES } from './resampling/filters.ts'
import { RESAMPLING_MODULE } from './resampling/simd-module.ts'
import { grown } from './samples.ts'
import { instantiate, ofThread, reserve, type WasmMemory } from './web-assembly.ts'

/** The loops of kernel.as, which names the arguments. */
interface Kernel
  extends Record<'widen' | 'decimate' | 'convolve' | 'interpolate', (...values: number[]) => void> {
  readonly memory: WasmMemory
}

/** Where the half-band filter and the bank lie in the memory; samples come after these. */
const HALF_BAND_AT = 1_024
const BANK_AT = 2_048
/** Samples that are read or written beyond those asked for, at most. */
const SPARE = 128
/** Input samples that are filtered in one call. */
const CHUNK = 8_192

const kernelOfThread = ofThread(() => {
  const kernel = instantiate<Kernel>(RESAMPLING_MODULE)
  new Float64Array(kernel.memory.buffer, HALF_BAND_AT).set(HALF_BAND.taps)
  return kernel
})
/** The bank that it holds. */
let held: Float64Array = new Float64Array(0)

function kernelWith(taps: Float64Array): Kernel {
  const kernel = kernelOfThread()
  if (taps !== HALF_BAND.taps && taps !== held) {
    const buffer = reserve(kernel.memory, BANK_AT + taps.byteLength)
    new Float64Array(buffer, BANK_AT).set(taps)
    held = taps
  }
  return kernel
}

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
  /** The last samples; the first lies at input time `#origin`. */
  readonly #tail: Float32Array
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
    if (this.#up === this.#down) {
      this.#kernel = 'copy'
      this.#reach = 0
      this.#taps = new Float64Array(0)
    } else if (this.#up === 1 && this.#down === 2) {
      this.#kernel = 'half'
      this.#reach = HALF_BAND.reach
      this.#taps = HALF_BAND.taps
    } else {
      this.#kernel = this.#up <= MAX_EXACT_PHASES ? 'exact' : 'interpolated'
      const low = Math.min(1, toRate / fromRate)
      // A multiple of 2, as the inner loops take 4 of the 2·reach taps at a time.
      this.#reach = Math.ceil(halfLength(low) / 2) * 2
      const phases = this.#kernel === 'exact' ? this.#up : TABLE_PHASES
      this.#taps = bank(phases, this.#reach, low, this.#kernel === 'interpolated')
    }
    this.#tail = new Float32Array(2 * this.#reach)
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
    let made = 0
    for (let from = 0; from < input.length; from += CHUNK)
      made += this.#run(input.subarray(from, from + CHUNK), made)
    return this.#out.subarray(0, made)
  }

  /** Ends the signal and returns the rest. */
  flush(): Float32Array {
    if (this.#kernel === 'copy') return this.#out
    const due = Math.ceil((this.#received * this.#up) / this.#down)
    const made = Math.round((this.#centre * this.#up + this.#phase) / this.#down)
    return this.push(new Float32Array(this.#reach + 1)).subarray(0, Math.max(0, due - made))
  }

  /** Makes the outputs that `input` completes, behind the `made` ones. @returns how many */
  #run(input: Float32Array, made: number): number {
    const [up, down, phase, reach] = [this.#up, this.#down, this.#phase, this.#reach]
    const kernel = kernelWith(this.#taps)
    const length = this.#held + input.length
    const at = this.#centre - this.#origin
    // Up to the last centre whose filter is covered: centre + reach is still in the samples.
    const count = Math.max(0, Math.ceil(((length - reach - at) * up - phase) / down))
    const samples = BANK_AT + held.byteLength
    const wide = (samples + 4 * (length + SPARE)) & ~15
    const out = wide + 8 * (length + SPARE)
    const buffer = reserve(kernel.memory, out + 4 * (count + SPARE))
    const x = new Float32Array(buffer, samples, length)
    x.set(this.#tail.subarray(0, this.#held))
    x.set(input, this.#held)
    if (count > 0) {
      if (this.#kernel === 'half') {
        const first = samples + 4 * (at - reach)
        kernel.decimate(first, HALF_BAND_AT, HALF_BAND.pairs, wide, out, count)
      } else {
        kernel.widen(samples, wide, length)
        // Taps of a phase cover centre − reach + 1 … centre + reach.
        const first = wide + 8 * (at - reach + 1)
        const values = [first, BANK_AT, 2 * reach, up, down, phase, out, count]
        if (this.#kernel === 'exact') kernel.convolve(...values)
        else kernel.interpolate(...values, TABLE_PHASES)
      }
      this.#out = grown(this.#out, made + count)
      this.#out.set(new Float32Array(buffer, out, count), made)
    }
    const moved = phase + count * down
    this.#centre += Math.floor(moved / up)
    this.#phase = moved % up
    // No filter needs those before the first tap of the next output any more.
    const used = Math.min(this.#centre - reach - this.#origin, length)
    this.#tail.set(x.subarray(used))
    this.#held = length - used
    this.#origin += used
    return count
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

function badRate(name: string, value: number): RangeError {
  return new RangeError(`${name} must be a positive whole number of hertz, not ${value}.`)
}

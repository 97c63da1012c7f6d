import { filterBank, HALF_BAND, halfLength, TABLE_PHASES } from './resampling/filters.ts'
import { RESAMPLING_MODULE } from './resampling/simd-module.ts'
import { grown } from './samples.ts'
import { instantiateModule, oncePerThread, reserveMemory, type WasmMemory } from './web-assembly.ts'

interface ResamplingKernel
  extends Record<'widen' | 'decimate' | 'convolve' | 'interpolate', (...values: number[]) => void> {
  readonly memory: WasmMemory
}

/** Samples come after the half-band filter and the bank. */
const HALF_BAND_AT = 1_024
const BANK_AT = 2_048
/** Samples that are read or written beyond those asked for, at most. */
const SPARE_SAMPLES = 128
const RESAMPLED_CHUNK = 8_192

const resamplingKernelOfThread = oncePerThread(() => {
  const kernel = instantiateModule<ResamplingKernel>(RESAMPLING_MODULE)
  new Float64Array(kernel.memory.buffer, HALF_BAND_AT).set(HALF_BAND.taps)
  return kernel
})
/** The bank that the memory holds. */
let heldBank: Float64Array = new Float64Array(0)

function kernelWithBank(taps: Float64Array): ResamplingKernel {
  const kernel = resamplingKernelOfThread()
  if (taps !== HALF_BAND.taps && taps !== heldBank) {
    const buffer = reserveMemory(kernel.memory, BANK_AT + taps.byteLength)
    new Float64Array(buffer, BANK_AT).set(taps)
    heldBank = taps
  }
  return kernel
}

/** Most phases of an exact ratio; with more, phases are interpolated from a table. */
const MAX_EXACT_PHASES = 1024

/**
 * A polyphase FIR low-pass (Oppenheim & Schafer, 7.5). Without delay, and bit-identical however the
 * input is cut.
 */
export class Resampler {
  readonly #reach: number
  readonly #up: number
  readonly #down: number
  readonly #kernel: 'copy' | 'half' | 'exact' | 'interpolated'
  readonly #taps: Float64Array
  /** The last samples; the first lies at input time `#origin`. */
  readonly #tail: Float32Array
  #tailLength: number
  #origin: number
  /** Input samples received. */
  #received = 0
  /** Centre (input time, whole part) and phase (of `#up`) of the next output sample. */
  #centre = 0
  #phase = 0
  #out = new Float32Array(0)

  /** @throws RangeError unless both rates are positive integers (hertz) */
  constructor(fromRate: number, toRate: number) {
    if (!(Number.isSafeInteger(fromRate) && fromRate > 0)) throw invalidRate('fromRate', fromRate)
    if (!(Number.isSafeInteger(toRate) && toRate > 0)) throw invalidRate('toRate', toRate)
    const divisor = greatestDivisor(fromRate, toRate)
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
      // The inner loops take 4 of the 2·reach taps at a time.
      this.#reach = Math.ceil(halfLength(low) / 2) * 2
      const phases = this.#kernel === 'exact' ? this.#up : TABLE_PHASES
      this.#taps = filterBank(phases, this.#reach, low, this.#kernel === 'interpolated')
    }
    this.#tail = new Float32Array(2 * this.#reach)
    this.#tailLength = this.#reach
    this.#origin = -this.#reach
  }

  /** @returns the output samples that are complete, valid until the next call */
  push(input: Float32Array): Float32Array {
    if (this.#kernel === 'copy') return input
    const madeCount = this.convert(input)
    return this.#out.subarray(0, madeCount)
  }

  /** As {@link push}, but the samples are the first ones of {@link output}. @returns how many */
  convert(input: Float32Array): number {
    if (this.#kernel === 'copy') {
      this.#out = grown(this.#out, input.length)
      for (let i = 0; i < input.length; i++) this.#out[i] = input[i]!
      return input.length
    }
    this.#received += input.length
    let madeCount = 0
    for (let offset = 0; offset < input.length; offset += RESAMPLED_CHUNK) {
      const end = Math.min(input.length, offset + RESAMPLED_CHUNK)
      madeCount += this.#filterChunk(input, offset, end, madeCount)
    }
    return madeCount
  }

  /** Input samples after the time of an output sample that it depends on. */
  get reach(): number {
    return this.#reach
  }

  get output(): Float32Array {
    return this.#out
  }

  /** Ends the signal and returns the last samples. */
  flush(): Float32Array {
    if (this.#kernel === 'copy') return new Float32Array(0)
    const due = Math.ceil((this.#received * this.#up) / this.#down)
    const madeCount = Math.round((this.#centre * this.#up + this.#phase) / this.#down)
    return this.push(new Float32Array(this.#reach + 1)).subarray(0, Math.max(0, due - madeCount))
  }

  /** @returns how many outputs were made */
  #filterChunk(input: Float32Array, begin: number, end: number, madeCount: number): number {
    const [up, down, phase, reach] = [this.#up, this.#down, this.#phase, this.#reach]
    const kernel = kernelWithBank(this.#taps)
    const length = this.#tailLength + end - begin
    const start = this.#centre - this.#origin
    // The last centre whose filter the samples cover.
    const count = Math.max(0, Math.ceil(((length - reach - start) * up - phase) / down))
    const samples = BANK_AT + heldBank.byteLength
    const wide = (samples + 4 * (length + SPARE_SAMPLES)) & ~15
    const out = wide + 8 * (length + SPARE_SAMPLES)
    const memory = samplesIn(reserveMemory(kernel.memory, out + 4 * (count + SPARE_SAMPLES)))
    const x = samples / 4
    for (let i = 0; i < this.#tailLength; i++) memory[x + i] = this.#tail[i]!
    for (let i = begin; i < end; i++) memory[x + this.#tailLength + i - begin] = input[i]!
    if (count > 0) {
      if (this.#kernel === 'half') {
        const first = samples + 4 * (start - reach)
        kernel.decimate(first, HALF_BAND_AT, HALF_BAND.pairs, wide, out, count)
      } else {
        kernel.widen(samples, wide, length)
        // Taps of a phase cover centre − reach + 1 … centre + reach.
        const first = wide + 8 * (start - reach + 1)
        if (this.#kernel === 'exact')
          kernel.convolve(first, BANK_AT, 2 * reach, up, down, phase, out, count)
        else
          kernel.interpolate(first, BANK_AT, 2 * reach, up, down, phase, out, count, TABLE_PHASES)
      }
      this.#out = grown(this.#out, madeCount + count)
      for (let i = 0; i < count; i++) this.#out[madeCount + i] = memory[out / 4 + i]!
    }
    const moved = phase + count * down
    this.#centre += Math.floor(moved / up)
    this.#phase = moved % up
    // No filter needs samples before the first tap of the next output.
    const used = Math.min(this.#centre - reach - this.#origin, length)
    this.#tailLength = length - used
    for (let i = 0; i < this.#tailLength; i++) this.#tail[i] = memory[x + used + i]!
    this.#origin += used
    return count
  }
}

/** All of a memory as samples; that of the same buffer is the same. */
function samplesIn(buffer: ArrayBuffer): Float32Array {
  if (memorySamples.buffer !== buffer) memorySamples = new Float32Array(buffer)
  return memorySamples
}
let memorySamples = new Float32Array(0)

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

function invalidRate(name: string, value: number): RangeError {
  return new RangeError(`${name} must be a positive whole number of hertz, not ${value}.`)
}

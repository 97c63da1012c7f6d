import { ECHOPRINT } from '../version.ts'
import { FOLDED, HOP, type Kernel, WHITENED_CARRY, WINDOW } from './kernel.ts'

const { bands: BANDS } = ECHOPRINT

/**
 * The first half of the prototype low-pass: every fourth value of the analysis window of ISO/IEC
 * 11172-3 (table C.1), in units of 2⁻²¹ and without the signs that the standard builds in.
 */
const PROTOTYPE = [
  1, 2, 3, 5, 8, 13, 19, 29, 41, 58, 79, 104, 132, 161, 190, 213, 227, 224, 200, 146, 57, -72, -244,
  -459, -711, -991, -1283, -1567, -1817, -2001, -2085, -2037, -1822, -1414, -794, 45, 1095, 2330,
  3705, 5153, 6589, 7910, 8998, 9727, 9966, 9592, 8492, 6574, 3776, 70, -4533, -9975, -16155,
  -22929, -30112, -37489, -44821, -51853, -58333, -64019, -68692, -72169, -74313, -75038,
]

/** The window, its sign changed for every other 16 samples, as the folding needs it. */
export const ANALYSIS_WINDOW = Float32Array.from({ length: WINDOW }, (_, i) => {
  const unit = PROTOTYPE[Math.min(i, 126 - i)] ?? 0
  // The standard prints nine decimals.
  const value = Math.round((unit * 1e9) / 2 ** 21) / 1e9
  return Math.floor(i / FOLDED) % 2 === 0 ? value : -value
})

/** Bands whose modulation is stated; that of band 7 − b differs from band b's in signs only. */
const HALF = BANDS / 2

/**
 * For each folded sample the cosines, then the sines of bands 0 … 3. For band 7 − b they are those of
 * band b, but the cosines of odd samples and the sines of even ones change their sign.
 */
export const MODULATION = Float32Array.from({ length: FOLDED * 2 * HALF }, (_, i) => {
  const sample = Math.floor(i / (2 * HALF))
  const angle = ((2 * (i % HALF) + 1) * (sample - 4) * Math.PI) / FOLDED
  const value = Math.floor(i / HALF) % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
  // A right angle's cosine comes out as some 1e-16, which no sum can feel.
  return Math.abs(value) < 1e-9 ? 0 : value
})

/**
 * The power in eight bands of equal width, every 8 samples: the polyphase filter bank of MPEG-1
 * audio, made complex and decimated by four.
 *
 *     folded[k] = Σ window[k + 16 n]·x[k + 16 n],  n = 0 … 7
 *     power[band] = (Σ cosine[k][band]·folded[k])² + (Σ sine[k][band]·folded[k])²,  k = 0 … 15
 */
export class Subbands {
  readonly #kernel: Kernel
  /** Whitened samples from the start of the next frame on. */
  readonly #carried = new Float32Array(WHITENED_CARRY)
  #held = 0

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /**
   * Takes the `length` whitened samples that the kernel holds.
   *
   * @returns how many frames it holds now
   */
  pass(length: number): number {
    const { whitened } = this.#kernel
    const from = WHITENED_CARRY - this.#held
    whitened.set(this.#carried.subarray(0, this.#held), from)
    const all = this.#held + length
    // The original asks for 7 samples more than a frame sees, the one it does not whiten included.
    const count = Math.max(0, Math.floor((all + 1 - (WINDOW - 1)) / HOP))
    this.#kernel.subbands(from, count)
    this.#held = all - count * HOP
    const next = from + count * HOP
    this.#carried.set(whitened.subarray(next, next + this.#held))
    return count
  }
}

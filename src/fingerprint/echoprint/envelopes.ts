import { ECHOPRINT } from '../version.ts'
import { type Kernel, POWERS_CARRY, SMOOTHED, STEP } from './kernel.ts'

const { bands: BANDS } = ECHOPRINT

/** Hann's window. */
export const SMOOTHING = Float32Array.from(
  { length: SMOOTHED },
  (_, k) => 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / (SMOOTHED - 1)),
)

/**
 * The envelope of each band, a value every 32 samples: the root of the power under a window of eight
 * frames.
 */
export class Envelopes {
  readonly #kernel: Kernel
  /** Frames from the start of the next value on. */
  readonly #carried = new Float32Array(POWERS_CARRY * BANDS)
  #held = 0

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /**
   * Takes the `frames` that the kernel holds.
   *
   * @returns how many values of each band it holds now
   */
  pass(frames: number): number {
    const { powers } = this.#kernel
    const from = POWERS_CARRY - this.#held
    powers.set(this.#carried.subarray(0, this.#held * BANDS), from * BANDS)
    const all = this.#held + frames
    const count = Math.max(0, Math.floor(all / STEP) - 1)
    this.#kernel.smooth(from, count)
    this.#held = all - count * STEP
    const next = (from + count * STEP) * BANDS
    this.#carried.set(powers.subarray(next, next + this.#held * BANDS))
    return count
  }
}

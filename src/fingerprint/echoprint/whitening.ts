import { type Kernel, ORDER } from './kernel.ts'

/** How much of a block's correlation enters the running one. */
const SHARE = 0.125
/** Keeps the prediction of silence defined. */
const START = 0.001
/** A coefficient over this makes later squares overflow. */
const MOST = 1e12

const { fround } = Math

/**
 * Linear prediction of order 40, adapted every 10,000 samples: what it does not foresee has a flat
 * spectrum, whatever the recording's equalisation (Ellis, Whitman & Porter, "Echoprint: an open
 * music identification service", ISMIR 2011).
 *
 *     whitened[i] = x[i] − a[1]·x[i − 1] − … − a[40]·x[i − 40]
 *
 * The terms are taken in order of their lag, but for the first 40 samples of a block: there those
 * that reach before the block come first.
 */
export class Whitening {
  readonly #kernel: Kernel
  /** The running correlation at lags 0 … ORDER. */
  readonly #running = new Float32Array(ORDER + 1)
  readonly #history = new Float32Array(ORDER)

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.#running[0] = START
  }

  /** Whitens the first `length` samples of the block. */
  pass(block: Float32Array, length: number): void {
    const { samples, correlation, predictor } = this.#kernel
    samples.set(this.#history)
    samples.set(block.subarray(0, length), ORDER)
    this.#kernel.correlate(length)
    const running = this.#running
    for (let lag = 0; lag <= ORDER; lag++) {
      const change = fround(SHARE * fround(correlation[lag]! - running[lag]!))
      running[lag] = running[lag]! + change
    }
    solve(running, predictor)
    this.#kernel.predict(length)
    // The newest is the block's last but one, as in the original, which reads one sample too early.
    this.#history.set(samples.subarray(length - 1, length - 1 + ORDER))
  }
}

/** Durbin's recursion: the predictor `a[1 … ORDER]` for the correlation `r`. */
function solve(r: Float32Array, a: Float32Array): void {
  let error = r[0]!
  for (let i = 1; i <= ORDER; i++) {
    let sum = 0
    for (let j = 1; j < i; j++) sum = fround(sum + fround(a[j]! * r[i - j]!))
    const k = fround(fround(r[i]! - sum) / error)
    a[i] = k
    for (let j = 1; 2 * j <= i; j++) {
      const low = a[j]!
      const high = a[i - j]!
      a[j] = low - fround(k * high)
      a[i - j] = high - fround(k * low)
    }
    error = fround(fround(1 - fround(k * k)) * error)
  }
  // A steady tone and then minutes of silence come to 0 / 0. The original finds no onset from there
  // on; here such a block stays as it is.
  for (let j = 1; j <= ORDER; j++) if (!(Math.abs(a[j]!) <= MOST)) return void a.fill(0)
}

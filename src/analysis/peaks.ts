import { grown, parabolaTop } from '../audio/samples.ts'

/** As key estimation needs them (Gómez 2006). */
export const PEAKS = Object.freeze({
  /** Hz, a quarter of ANALYSIS_RATE: no pitch above 1.5 kHz is needed. */
  rate: 5_512.5,
  /** 0.37 s: separates semitones from about 130 Hz up. */
  size: 2_048,
  hop: 256,
  /** Hz. Above 1.5 kHz overtones outnumber fundamentals. */
  lowest: 55,
  highest: 1_500,
  /** Peaks below this share of the frame's highest (-50 dB) do not count. */
  relativeFloor: 0.003,
  /** The strongest peaks of a frame are kept. */
  most: 32,
  /** Magnitude under which a frame is digital silence. */
  silence: 1e-5,
})

export interface Peaks {
  /** Frames per second, from `start` seconds on. */
  fps: number
  start: number
  frames: number
  first: Uint32Array
  /** Pitch in cents above PITCH_ZERO at A = 440 Hz. */
  cents: Uint16Array
  /** Magnitude in units of the frame's highest peak, above 0 to 1. */
  weight: Float32Array
  /** Magnitude of the frame's highest peak; 0 in silence. */
  top: Float32Array
}

/** The C below 20 Hz: its pitch class is 0. */
const PITCH_ZERO = 440 * 2 ** (-57 / 12)

export class PeakFront {
  readonly #binWidth = PEAKS.rate / PEAKS.size
  readonly #lowest = Math.max(2, Math.floor(PEAKS.lowest / this.#binWidth))
  readonly #highest = Math.ceil(PEAKS.highest / this.#binWidth)
  #first = new Uint32Array(1_024)
  #top = new Float32Array(1_024)
  #cents = new Uint16Array(16_384)
  #weight = new Float32Array(16_384)
  readonly #bins = new Uint16Array(PEAKS.most)
  #frames = 0
  #count = 0

  push(magnitudes: Float32Array): void {
    const frame = this.#frames
    if (frame + 2 > this.#first.length) {
      this.#first = grown(this.#first, Math.ceil(1.5 * this.#first.length))
      this.#top = grown(this.#top, Math.ceil(1.5 * this.#top.length))
    }
    if (this.#count + PEAKS.most > this.#cents.length) {
      this.#cents = grown(this.#cents, Math.ceil(1.5 * this.#cents.length))
      this.#weight = grown(this.#weight, Math.ceil(1.5 * this.#weight.length))
    }
    let top = 0
    for (let bin = this.#lowest; bin <= this.#highest; bin++)
      if (magnitudes[bin]! > top) top = magnitudes[bin]!
    if (top > PEAKS.silence) this.#collectPeaks(magnitudes, top)
    this.#top[frame] = top > PEAKS.silence ? top : 0
    this.#frames++
    this.#first[this.#frames] = this.#count
  }

  /** @param start - when the first frame is centred, seconds */
  finish(start = 0): Peaks {
    return {
      fps: PEAKS.rate / PEAKS.hop,
      start,
      frames: this.#frames,
      first: this.#first.subarray(0, this.#frames + 1),
      cents: this.#cents.subarray(0, this.#count),
      weight: this.#weight.subarray(0, this.#count),
      top: this.#top.subarray(0, this.#frames),
    }
  }

  #collectPeaks(magnitudes: Float32Array, top: number): void {
    const begin = this.#count
    const floor = top * PEAKS.relativeFloor
    /** -1 if unknown. */
    let weakest = -1
    for (let bin = this.#lowest; bin <= this.#highest; bin++) {
      const middle = magnitudes[bin]!
      if (middle < floor || middle <= magnitudes[bin - 1]! || middle < magnitudes[bin + 1]!)
        continue
      let peak = this.#count
      if (peak - begin === PEAKS.most) {
        if (weakest < 0) weakest = this.#weakestPeak(begin)
        if (this.#weight[weakest]! >= middle / top) continue
        peak = weakest
        weakest = -1
      } else this.#count++
      this.#bins[peak - begin] = bin
      this.#weight[peak] = middle / top
    }
    for (let peak = begin; peak < this.#count; peak++) {
      const bin = this.#bins[peak - begin]!
      // Logarithms make the fit exact for Gaussian-like windows (Smith & Serra 1987).
      const offset = parabolaTop(
        Math.log(magnitudes[bin - 1]! + 1e-12),
        Math.log(magnitudes[bin]!),
        Math.log(magnitudes[bin + 1]! + 1e-12),
      )
      const frequency = (bin + offset) * this.#binWidth
      this.#cents[peak] = Math.round(1_200 * Math.log2(frequency / PITCH_ZERO))
    }
  }

  #weakestPeak(begin: number): number {
    let weakest = begin
    for (let i = begin + 1; i < this.#count; i++)
      if (this.#weight[i]! < this.#weight[weakest]!) weakest = i
    return weakest
  }
}

/**
 * Cents from A = 440 Hz, -50 to 50: the circular mean of the peaks' distances from semitones, by
 * magnitude.
 */
export function tuningOf(peaks: Peaks): number {
  let x = 0
  let y = 0
  const turn = (2 * Math.PI) / 100
  for (let i = 0; i < peaks.cents.length; i++) {
    const angle = peaks.cents[i]! * turn
    x += peaks.weight[i]! * Math.cos(angle)
    y += peaks.weight[i]! * Math.sin(angle)
  }
  return x === 0 && y === 0 ? 0 : Math.atan2(y, x) / turn
}

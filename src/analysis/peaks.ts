import { grown, parabolaTop } from '../audio/samples.ts'

/** Spectral peaks for pitch, as key estimation from HPCPs needs them (Gómez 2006). */
export const PEAKS = Object.freeze({
  /** Hz, a quarter of ANALYSIS_RATE: no pitch above 1.5 kHz is needed. */
  rate: 5_512.5,
  /** 0.37 s: separates semitones from about 130 Hz up. */
  size: 2_048,
  /** 46 ms. Pitches of a repeated loop differ half as much as at 93 ms. */
  hop: 256,
  /** Hz. Above 1.5 kHz overtones outnumber fundamentals: 1.5 v 3.5 kHz gained 5 of 50 keys. */
  lowest: 55,
  highest: 1_500,
  /** Peaks below this share of the frame's highest (-50 dB) do not count. */
  relativeFloor: 0.003,
  /** Most peaks kept per frame: the strongest. */
  most: 32,
  /** Magnitude under which a frame is digital silence. */
  silence: 1e-5,
})

/** Spectral peaks of each frame, as pitch and magnitude. */
export interface Peaks {
  /** Frames per second; frame i is centred at start + i / fps seconds. */
  fps: number
  /** Seconds. */
  start: number
  frames: number
  /** Peaks of frame i are those from first[i] up to first[i + 1]. */
  first: Uint32Array
  /** Pitch in cents above PITCH_ZERO at A = 440 Hz. */
  cents: Uint16Array
  /** Magnitude in units of the frame's highest peak, above 0 to 1. */
  weight: Float32Array
  /** Magnitude of the frame's highest peak; 0 in silence. */
  top: Float32Array
}

/** The C below 20 Hz, from which pitches are counted: its pitch class is 0. */
const PITCH_ZERO = 440 * 2 ** (-57 / 12)

/** Collects the spectral peaks of frames as they stream by: at most 6·most bytes a frame. */
export class PeakFront {
  readonly #binWidth = PEAKS.rate / PEAKS.size
  readonly #lowest = Math.max(2, Math.floor(PEAKS.lowest / this.#binWidth))
  readonly #highest = Math.ceil(PEAKS.highest / this.#binWidth)
  #first = new Uint32Array(1_024)
  #top = new Float32Array(1_024)
  #cents = new Uint16Array(16_384)
  #weight = new Float32Array(16_384)
  /** Of the peaks of a frame. */
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
    if (top > PEAKS.silence) this.#collect(magnitudes, top)
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

  #collect(magnitudes: Float32Array, top: number): void {
    const begin = this.#count
    const floor = top * PEAKS.relativeFloor
    /** The place of the weakest peak, once there are enough; -1 if unknown. */
    let weakest = -1
    for (let bin = this.#lowest; bin <= this.#highest; bin++) {
      const middle = magnitudes[bin]!
      if (middle < floor || middle <= magnitudes[bin - 1]! || middle < magnitudes[bin + 1]!)
        continue
      let at = this.#count
      if (at - begin === PEAKS.most) {
        if (weakest < 0) weakest = this.#weakest(begin)
        if (this.#weight[weakest]! >= middle / top) continue
        at = weakest
        weakest = -1
      } else this.#count++
      this.#bins[at - begin] = bin
      this.#weight[at] = middle / top
    }
    for (let at = begin; at < this.#count; at++) {
      const bin = this.#bins[at - begin]!
      // Fitted to logarithms: exact for Gaussian-like windows (Smith & Serra 1987).
      const offset = parabolaTop(
        Math.log(magnitudes[bin - 1]! + 1e-12),
        Math.log(magnitudes[bin]!),
        Math.log(magnitudes[bin + 1]! + 1e-12),
      )
      const frequency = (bin + offset) * this.#binWidth
      this.#cents[at] = Math.round(1_200 * Math.log2(frequency / PITCH_ZERO))
    }
  }

  #weakest(begin: number): number {
    let at = begin
    for (let i = begin + 1; i < this.#count; i++) if (this.#weight[i]! < this.#weight[at]!) at = i
    return at
  }
}

/**
 * How far the music is tuned from A = 440 Hz, in cents, -50 to 50: the circular mean of the peaks'
 * distances from the nearest semitone, by magnitude.
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

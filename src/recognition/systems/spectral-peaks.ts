import { parabolaTop } from '../../audio/samples.ts'
import { SpectrumStream } from '../../audio/spectra/spectrum-stream.ts'
import { LANDMARK_SYSTEM } from './version.ts'

const { size, hop, lowest, highest, frames, bins, surroundings, loudness } = LANDMARK_SYSTEM.peaks
/** Bins that tell of those with peaks, and frames that are kept. */
const KEPT_BINS = highest + Math.max(bins, surroundings) + 1
const KEPT_FRAMES = 2 * frames + 1
/** The logarithm of a product costs less than those of its factors. */
const LOG_BLOCK_BINS = 8
const LOG_BLOCKS = Math.ceil(KEPT_BINS / LOG_BLOCK_BINS)
const PEAK_WINDOW = Float64Array.from(
  { length: size },
  (_, i) => (1 - Math.cos((2 * Math.PI * (i + 0.5)) / size)) / size,
)
/** 94 dB under a full-scale tone, far over what 16 bits add. */
const MIN_MAGNITUDE = 1e-5
export interface Peak {
  /** Frames, with a fraction; frame i is centred at sample i · hop. */
  readonly time: number
  /** Bins, with a fraction. */
  readonly frequency: number
  /** How far it stands out, in natural logarithms of amplitude, from an arbitrary zero. */
  readonly salience: number
}

/**
 * Finds places louder than all in a rectangle of time and frequency (Wang, ISMIR 2003). Near levels
 * only are compared.
 */
export class PeakFinder {
  readonly #spectra: SpectrumStream
  /** By frame (modulo `KEPT_FRAMES`) and bin; frames before the first count as silent. */
  readonly #levels = new Float32Array(KEPT_FRAMES * KEPT_BINS).fill(MIN_MAGNITUDE)
  readonly #largest = new Float32Array(KEPT_FRAMES * KEPT_BINS).fill(MIN_MAGNITUDE)
  readonly #sums = Float64Array.from(
    { length: KEPT_FRAMES * (LOG_BLOCKS + 1) },
    (_, i) => (i % (LOG_BLOCKS + 1)) * LOG_BLOCK_BINS * Math.log(MIN_MAGNITUDE),
  )
  /** The largest of so many bins from each on. */
  readonly #runs = new Float32Array(KEPT_BINS)
  #frames = 0

  constructor(private readonly reportPeak: (peak: Peak) => void) {
    this.#spectra = new SpectrumStream(PEAK_WINDOW, hop, (magnitudes) => this.#addFrame(magnitudes))
  }

  push(samples: Float32Array): void {
    this.#spectra.push(samples)
  }

  finish(): void {
    // Until the last sample's frame is in the middle of the rectangle.
    this.#spectra.finish(frames)
  }

  #addFrame(magnitudes: Float32Array): void {
    const row = this.#frames % KEPT_FRAMES
    this.#storeFrame(magnitudes, row)
    this.#spreadMaxima(row)
    this.#frames++
    const middle = this.#frames - 1 - frames
    if (middle >= 0) this.#reportPeaks(middle)
  }

  #storeFrame(magnitudes: Float32Array, row: number): void {
    const levels = this.#levels
    const sums = this.#sums
    const end = (row + 1) * KEPT_BINS
    let sum = 0
    let sumIndex = row * (LOG_BLOCKS + 1)
    for (let start = row * KEPT_BINS, bin = 0; start < end; start += LOG_BLOCK_BINS) {
      let product = 1
      for (let i = start; i < start + LOG_BLOCK_BINS && i < end; i++, bin++) {
        const magnitude = magnitudes[bin]!
        const level = magnitude > MIN_MAGNITUDE ? magnitude : MIN_MAGNITUDE
        levels[i] = level
        product *= level
      }
      sum += Math.log(product)
      sums[++sumIndex] = sum
    }
  }

  /** The largest level within `bins` to either side, for each bin that can hold a peak. */
  #spreadMaxima(row: number): void {
    const runs = this.#runs
    const start = row * KEPT_BINS
    const runLength = 2 * bins + 1
    const end = highest + bins
    for (let bin = lowest - bins; bin <= end; bin++) runs[bin] = this.#levels[start + bin]!
    // Each run is the larger of two shorter ones; the last two may overlap.
    for (let length = 1, step = 1; length < runLength; length += step) {
      step = Math.min(length, runLength - length)
      for (let bin = lowest - bins; bin + length + step <= end + 1; bin++) {
        const next = runs[bin + step]!
        if (next > runs[bin]!) runs[bin] = next
      }
    }
    for (let bin = lowest; bin < highest; bin++) this.#largest[start + bin] = runs[bin - bins]!
  }

  #reportPeaks(frame: number): void {
    const levels = this.#levels
    const largest = this.#largest
    const row = frame % KEPT_FRAMES
    const start = row * KEPT_BINS
    for (let bin = lowest; bin < highest; bin++) {
      const level = levels[start + bin]!
      if (level < largest[start + bin]! || level <= MIN_MAGNITUDE) continue
      let isPeak = true
      for (let away = 1; away <= frames && isPeak; away++) {
        const earlier = ((row - away + KEPT_FRAMES) % KEPT_FRAMES) * KEPT_BINS + bin
        const later = ((row + away) % KEPT_FRAMES) * KEPT_BINS + bin
        // Of equal ones the first counts.
        isPeak = largest[earlier]! < level && largest[later]! <= level
      }
      if (isPeak) this.reportPeak(this.#createPeak(frame, bin))
    }
  }

  #createPeak(frame: number, bin: number): Peak {
    const row = frame % KEPT_FRAMES
    const logLevel = (r: number, b: number) =>
      Math.log(this.#levels[((r + KEPT_FRAMES) % KEPT_FRAMES) * KEPT_BINS + b]!)
    const level = logLevel(row, bin)
    const time = frame + parabolaTop(logLevel(row - 1, bin), level, logLevel(row + 1, bin))
    const frequency = bin + parabolaTop(logLevel(row, bin - 1), level, logLevel(row, bin + 1))
    const firstBin = Math.max(0, bin - surroundings)
    const endBin = bin + surroundings + 1
    let sum = 0
    for (let r = 0; r < KEPT_FRAMES; r++) sum += this.#sumTo(r, endBin) - this.#sumTo(r, firstBin)
    const rise = level - sum / (KEPT_FRAMES * (endBin - firstBin))
    // Pink noise falls with the root of the frequency; loud peaks stand out of noise.
    return { time, frequency, salience: rise + loudness * (level + 0.5 * Math.log(bin)) }
  }

  #sumTo(row: number, bins: number): number {
    const block = Math.floor(bins / LOG_BLOCK_BINS)
    let product = 1
    for (let bin = block * LOG_BLOCK_BINS; bin < bins; bin++)
      product *= this.#levels[row * KEPT_BINS + bin]!
    return this.#sums[row * (LOG_BLOCKS + 1) + block]! + Math.log(product)
  }
}

import { parabolaTop } from '../../audio/samples.ts'
import { SpectrumStream } from '../../audio/spectra/spectrum-stream.ts'
import { LANDMARKS } from './version.ts'

const { size, hop, lowest, highest, frames, bins, surroundings, loudness } = LANDMARKS.peaks
/** Bins of a frame that tell of those that can hold a peak, and frames that are kept. */
const WIDTH = highest + Math.max(bins, surroundings) + 1
const DEPTH = 2 * frames + 1
/** Bins whose logarithms are taken together, as that of their product, and such blocks in a frame. */
const BLOCK = 8
const BLOCKS = Math.ceil(WIDTH / BLOCK)
const WINDOW = Float64Array.from(
  { length: size },
  (_, i) => (1 - Math.cos((2 * Math.PI * (i + 0.5)) / size)) / size,
)
/** The magnitude that counts as silence: 94 dB under a full-scale tone, far over what 16 bits add. */
const LEAST = 1e-5
/** A place in the spectrogram that stands out. */
export interface Peak {
  /** Frames, with a fraction; frame i is centred at sample i · hop. */
  readonly time: number
  /** Bins, with a fraction. */
  readonly frequency: number
  /** How far it stands out, in natural logarithms of amplitude, from an arbitrary zero. */
  readonly salience: number
}

/**
 * Finds the peaks of a spectrogram while the sound comes in, in the order of their frames: places
 * louder than all in a rectangle of time and frequency about them (Wang, ISMIR 2003). No sample or
 * frame is kept for longer than that rectangle.
 *
 * A peak does not depend on the level, and hardly on equalisation: only near levels are compared.
 */
export class PeakFinder {
  readonly #spectra: SpectrumStream
  /**
   * Magnitudes by frame (modulo `DEPTH`) and bin, the largest of the bins about each, and the running
   * sums of logarithms over blocks of bins. Frames before the first count as silent.
   */
  readonly #levels = new Float32Array(DEPTH * WIDTH).fill(LEAST)
  readonly #largest = new Float32Array(DEPTH * WIDTH).fill(LEAST)
  readonly #sums = Float64Array.from(
    { length: DEPTH * (BLOCKS + 1) },
    (_, i) => (i % (BLOCKS + 1)) * BLOCK * Math.log(LEAST),
  )
  /** The largest of so many bins from each on. */
  readonly #runs = new Float32Array(WIDTH)
  /** Frames transformed so far. */
  #frames = 0

  constructor(private readonly take: (peak: Peak) => void) {
    this.#spectra = new SpectrumStream(WINDOW, hop, (magnitudes) => this.#frame(magnitudes))
  }

  push(samples: Float32Array): void {
    this.#spectra.push(samples)
  }

  finish(): void {
    // Until the last sample's frame is in the middle of the rectangle.
    this.#spectra.finish(frames)
  }

  #frame(magnitudes: Float32Array): void {
    const row = this.#frames % DEPTH
    this.#keep(magnitudes, row)
    this.#spread(row)
    this.#frames++
    const middle = this.#frames - 1 - frames
    if (middle >= 0) this.#peaksOf(middle)
  }

  #keep(magnitudes: Float32Array, row: number): void {
    const levels = this.#levels
    const sums = this.#sums
    const end = (row + 1) * WIDTH
    let sum = 0
    let at = row * (BLOCKS + 1)
    for (let from = row * WIDTH, bin = 0; from < end; from += BLOCK) {
      let product = 1
      for (let i = from; i < from + BLOCK && i < end; i++, bin++) {
        const magnitude = magnitudes[bin]!
        const level = magnitude > LEAST ? magnitude : LEAST
        levels[i] = level
        product *= level
      }
      sum += Math.log(product)
      sums[++at] = sum
    }
  }

  /** The largest level within `bins` to either side, for each bin that can hold a peak. */
  #spread(row: number): void {
    const runs = this.#runs
    const start = row * WIDTH
    const whole = 2 * bins + 1
    const end = highest + bins
    for (let bin = lowest - bins; bin <= end; bin++) runs[bin] = this.#levels[start + bin]!
    // Of runs of 1, 2, 4, 8 … bins each is the larger of two shorter ones; the last two may overlap.
    for (let length = 1, step = 1; length < whole; length += step) {
      step = Math.min(length, whole - length)
      for (let bin = lowest - bins; bin + length + step <= end + 1; bin++) {
        const next = runs[bin + step]!
        if (next > runs[bin]!) runs[bin] = next
      }
    }
    for (let bin = lowest; bin < highest; bin++) this.#largest[start + bin] = runs[bin - bins]!
  }

  #peaksOf(frame: number): void {
    const levels = this.#levels
    const largest = this.#largest
    const row = frame % DEPTH
    const start = row * WIDTH
    for (let bin = lowest; bin < highest; bin++) {
      const level = levels[start + bin]!
      if (level < largest[start + bin]! || level <= LEAST) continue
      let peak = true
      for (let away = 1; away <= frames && peak; away++) {
        const before = ((row - away + DEPTH) % DEPTH) * WIDTH + bin
        const after = ((row + away) % DEPTH) * WIDTH + bin
        // Of equal ones the first counts.
        peak = largest[before]! < level && largest[after]! <= level
      }
      if (peak) this.take(this.#peak(frame, bin))
    }
  }

  #peak(frame: number, bin: number): Peak {
    const row = frame % DEPTH
    const at = (r: number, b: number) => Math.log(this.#levels[((r + DEPTH) % DEPTH) * WIDTH + b]!)
    const level = at(row, bin)
    const time = frame + parabolaTop(at(row - 1, bin), level, at(row + 1, bin))
    const frequency = bin + parabolaTop(at(row, bin - 1), level, at(row, bin + 1))
    const from = Math.max(0, bin - surroundings)
    const to = bin + surroundings + 1
    let sum = 0
    for (let r = 0; r < DEPTH; r++) sum += this.#sumTo(r, to) - this.#sumTo(r, from)
    const rise = level - sum / (DEPTH * (to - from))
    // Pink noise falls with the root of the frequency; loud peaks will stand out of noise, too.
    return { time, frequency, salience: rise + loudness * (level + 0.5 * Math.log(bin)) }
  }

  /** The sum of the logarithms of a row's first bins. */
  #sumTo(row: number, bins: number): number {
    const block = Math.floor(bins / BLOCK)
    let product = 1
    for (let bin = block * BLOCK; bin < bins; bin++) product *= this.#levels[row * WIDTH + bin]!
    return this.#sums[row * (BLOCKS + 1) + block]! + Math.log(product)
  }
}

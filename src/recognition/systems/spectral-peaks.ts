import { parabolaTop } from '../../audio/samples.ts'
import { SpectrumStream } from '../../audio/spectra/spectrum-stream.ts'
import { LANDMARKS } from './version.ts'

const { size, hop, lowest, highest, frames, bins, surroundings, loudness } = LANDMARKS.peaks
/** Bins of a frame, and frames that are kept. */
const WIDTH = size / 2
const DEPTH = 2 * frames + 1
const WINDOW = Float64Array.from(
  { length: size },
  (_, i) => (1 - Math.cos((2 * Math.PI * (i + 0.5)) / size)) / size,
)
/** The magnitude that counts as silence: 94 dB under a full-scale tone, far over what 16 bits add. */
const LEAST = 1e-5
/** … as a logarithm. */
const SILENCE = Math.log(LEAST)

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
 * louder than all in a rectangle of time and frequency about them (Wang, ISMIR 2003; the maximum
 * filter is Van Herk's). No sample or frame is kept for longer than that rectangle.
 *
 * A peak does not depend on the level, and hardly on equalisation: only near levels are compared.
 */
export class PeakFinder {
  readonly #spectra: SpectrumStream
  /**
   * Logarithms of amplitude by frame (modulo `DEPTH`) and bin, the same as running sums, and the largest
   * of the bins about each. Frames before the first count as silent.
   */
  readonly #levels = new Float32Array(DEPTH * WIDTH).fill(SILENCE)
  readonly #sums = Float64Array.from(
    { length: DEPTH * (WIDTH + 1) },
    (_, i) => (i % (WIDTH + 1)) * SILENCE,
  )
  readonly #largest = new Float32Array(DEPTH * WIDTH).fill(SILENCE)
  readonly #forwards = new Float32Array(WIDTH + 4 * bins + 2)
  readonly #backwards = new Float32Array(WIDTH + 4 * bins + 2)
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
    const start = row * WIDTH
    const sumStart = row * (WIDTH + 1)
    let sum = 0
    for (let bin = 0; bin < WIDTH; bin++) {
      const magnitude = magnitudes[bin]!
      const level = magnitude > LEAST ? Math.log(magnitude) : SILENCE
      levels[start + bin] = level
      sum += level
      sums[sumStart + bin + 1] = sum
    }
  }

  /** The largest level within `bins` to either side, for each bin of a row: two passes (Van Herk). */
  #spread(row: number): void {
    const levels = this.#levels
    const largest = this.#largest
    const forwards = this.#forwards
    const backwards = this.#backwards
    const block = 2 * bins + 1
    const start = row * WIDTH
    const length = Math.ceil((WIDTH + 2 * bins) / block) * block
    // Place i of the padded row is bin i − bins.
    for (let i = 0; i < length; i++) {
      const bin = i - bins
      const level = bin >= 0 && bin < WIDTH ? levels[start + bin]! : SILENCE
      const before = i % block === 0 ? SILENCE : forwards[i - 1]!
      forwards[i] = level > before ? level : before
    }
    for (let i = length - 1; i >= 0; i--) {
      const bin = i - bins
      const level = bin >= 0 && bin < WIDTH ? levels[start + bin]! : SILENCE
      const after = i % block === block - 1 ? SILENCE : backwards[i + 1]!
      backwards[i] = level > after ? level : after
    }
    for (let bin = 0; bin < WIDTH; bin++) {
      const a = backwards[bin]!
      const b = forwards[bin + 2 * bins]!
      largest[start + bin] = a > b ? a : b
    }
  }

  #peaksOf(frame: number): void {
    const levels = this.#levels
    const largest = this.#largest
    const row = frame % DEPTH
    const start = row * WIDTH
    for (let bin = lowest; bin < highest; bin++) {
      const level = levels[start + bin]!
      if (level < largest[start + bin]! || level <= SILENCE) continue
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
    const levels = this.#levels
    const row = frame % DEPTH
    const level = levels[row * WIDTH + bin]!
    const before = levels[((row - 1 + DEPTH) % DEPTH) * WIDTH + bin]!
    const after = levels[((row + 1) % DEPTH) * WIDTH + bin]!
    const time = frame + parabolaTop(before, level, after)
    const frequency =
      bin + parabolaTop(levels[row * WIDTH + bin - 1]!, level, levels[row * WIDTH + bin + 1]!)
    const from = Math.max(0, bin - surroundings)
    const to = bin + surroundings + 1
    let sum = 0
    for (let r = 0; r < DEPTH; r++) {
      sum += this.#sums[r * (WIDTH + 1) + to]! - this.#sums[r * (WIDTH + 1) + from]!
    }
    const rise = level - sum / (DEPTH * (to - from))
    // Pink noise falls with the root of the frequency; loud peaks will stand out of noise, too.
    return { time, frequency, salience: rise + loudness * (level + 0.5 * Math.log(bin)) }
  }
}

import FFT from 'fft.js'
import { FrameCutter, parabolaTop } from '../../audio/samples.ts'

/** How peaks are found. Frequencies in bins of the transform, times in frames. */
interface PeakRules {
  /** Samples of a frame, a power of two, and from one frame to the next. */
  readonly size: number
  readonly hop: number
  /** Bins that can hold a peak: from `lowest` on, below `highest`. */
  readonly lowest: number
  readonly highest: number
  /** A peak is the largest value in so many frames and bins to either side. */
  readonly frames: number
  readonly bins: number
  /** Bins to either side, in the same frames, whose mean a peak is measured against. */
  readonly surroundings: number
  /** What a peak's loudness over pink noise counts, compared with its rise over its surroundings. */
  readonly loudness: number
}

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
 * A peak does not depend on the level, and hardly on equalisation: all that is compared lies close.
 */
export class PeakFinder {
  readonly #rules: PeakRules
  readonly #take: (peak: Peak) => void
  readonly #fft: FFT
  readonly #window: Float64Array
  readonly #input: Float64Array
  readonly #output: Float64Array
  readonly #cutter: FrameCutter
  /** Logarithms of amplitude by frame (modulo `#depth`) and bin, the same as running sums, and
   * the largest of the bins about each. */
  readonly #depth: number
  readonly #width: number
  readonly #levels: Float32Array
  readonly #sums: Float64Array
  readonly #largest: Float32Array
  readonly #forwards: Float32Array
  readonly #backwards: Float32Array
  /** Frames transformed so far. */
  #frames = 0
  #samples = 0

  constructor(rules: PeakRules, take: (peak: Peak) => void) {
    this.#rules = rules
    this.#take = take
    const { size } = rules
    this.#fft = new FFT(size)
    this.#window = Float64Array.from(
      { length: size },
      (_, i) => (1 - Math.cos((2 * Math.PI * (i + 0.5)) / size)) / size,
    )
    this.#input = new Float64Array(size)
    this.#output = new Float64Array(2 * size)
    this.#cutter = new FrameCutter(size, rules.hop, (held, at) => this.#frame(held, at))
    this.#depth = 2 * rules.frames + 1
    this.#width = size / 2
    this.#levels = new Float32Array(this.#depth * this.#width)
    this.#sums = new Float64Array(this.#depth * (this.#width + 1))
    this.#largest = new Float32Array(this.#depth * this.#width)
    // Frames before the first count as silent.
    this.#levels.fill(SILENCE)
    this.#largest.fill(SILENCE)
    for (let row = 0; row < this.#depth; row++) {
      for (let bin = 0; bin <= this.#width; bin++) {
        this.#sums[row * (this.#width + 1) + bin] = bin * SILENCE
      }
    }
    this.#forwards = new Float32Array(this.#width + 4 * rules.bins + 2)
    this.#backwards = new Float32Array(this.#width + 4 * rules.bins + 2)
  }

  push(samples: Float32Array): void {
    this.#samples += samples.length
    this.#cutter.push(samples)
  }

  finish(): void {
    // Silence until the last sample's frame is in the middle of the rectangle.
    const { hop, frames } = this.#rules
    const due = Math.ceil(this.#samples / hop) + frames
    const silence = new Float32Array(hop)
    while (this.#frames < due) this.#cutter.push(silence)
  }

  #frame(held: Float32Array, at: number): void {
    const { frames } = this.#rules
    const row = this.#frames % this.#depth
    this.#transform(held, at, row)
    this.#spread(row)
    this.#frames++
    const middle = this.#frames - 1 - frames
    if (middle >= 0) this.#peaksOf(middle)
  }

  #transform(held: Float32Array, at: number, row: number): void {
    const width = this.#width
    const window = this.#window
    const input = this.#input
    const output = this.#output
    for (let i = 0; i < input.length; i++) input[i] = held[at + i]! * window[i]!
    this.#fft.realTransform(output, input)
    const levels = this.#levels
    const sums = this.#sums
    const start = row * width
    const sumStart = row * (width + 1)
    let sum = 0
    for (let bin = 0, i = 0; bin < width; bin++, i += 2) {
      const re = output[i]!
      const im = output[i + 1]!
      const power = re * re + im * im
      const level = power > LEAST_POWER ? 0.5 * Math.log(power) : SILENCE
      levels[start + bin] = level
      sum += level
      sums[sumStart + bin + 1] = sum
    }
  }

  /** The largest level within `bins` to either side, for each bin of a row: two passes (Van Herk). */
  #spread(row: number): void {
    const { bins } = this.#rules
    const width = this.#width
    const levels = this.#levels
    const largest = this.#largest
    const forwards = this.#forwards
    const backwards = this.#backwards
    const block = 2 * bins + 1
    const start = row * width
    const length = Math.ceil((width + 2 * bins) / block) * block
    // Place i of the padded row is bin i − bins.
    for (let i = 0; i < length; i++) {
      const bin = i - bins
      const level = bin >= 0 && bin < width ? levels[start + bin]! : SILENCE
      const before = i % block === 0 ? SILENCE : forwards[i - 1]!
      forwards[i] = level > before ? level : before
    }
    for (let i = length - 1; i >= 0; i--) {
      const bin = i - bins
      const level = bin >= 0 && bin < width ? levels[start + bin]! : SILENCE
      const after = i % block === block - 1 ? SILENCE : backwards[i + 1]!
      backwards[i] = level > after ? level : after
    }
    for (let bin = 0; bin < width; bin++) {
      const a = backwards[bin]!
      const b = forwards[bin + 2 * bins]!
      largest[start + bin] = a > b ? a : b
    }
  }

  #peaksOf(frame: number): void {
    const { lowest, highest, frames } = this.#rules
    const depth = this.#depth
    const width = this.#width
    const levels = this.#levels
    const largest = this.#largest
    const row = frame % depth
    const start = row * width
    for (let bin = lowest; bin < highest; bin++) {
      const level = levels[start + bin]!
      if (level < largest[start + bin]! || level <= SILENCE) continue
      let peak = true
      for (let away = 1; away <= frames && peak; away++) {
        const before = ((row - away + depth) % depth) * width + bin
        const after = ((row + away) % depth) * width + bin
        // Of equal ones the first counts.
        peak = largest[before]! < level && largest[after]! <= level
      }
      if (peak) this.#take(this.#peak(frame, bin))
    }
  }

  #peak(frame: number, bin: number): Peak {
    const { surroundings, loudness } = this.#rules
    const depth = this.#depth
    const width = this.#width
    const levels = this.#levels
    const row = frame % depth
    const level = levels[row * width + bin]!
    const before = levels[((row - 1 + depth) % depth) * width + bin]!
    const after = levels[((row + 1) % depth) * width + bin]!
    const time = frame + parabolaTop(before, level, after)
    const frequency =
      bin + parabolaTop(levels[row * width + bin - 1]!, level, levels[row * width + bin + 1]!)
    const from = Math.max(0, bin - surroundings)
    const to = Math.min(width, bin + surroundings + 1)
    let sum = 0
    for (let r = 0; r < depth; r++) {
      sum += this.#sums[r * (width + 1) + to]! - this.#sums[r * (width + 1) + from]!
    }
    const rise = level - sum / (depth * (to - from))
    // Pink noise falls with the root of the frequency; what is loud will stand out of noise, too.
    return { time, frequency, salience: rise + loudness * (level + 0.5 * Math.log(bin)) }
  }
}

/** What counts as no sound at all: 94 dB under a full-scale tone, far over what 16 bits leave. */
const LEAST_POWER = 1e-10
/** … as a logarithm of amplitude. */
const SILENCE = 0.5 * Math.log(LEAST_POWER)

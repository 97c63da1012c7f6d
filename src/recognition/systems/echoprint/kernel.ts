import { ECHOPRINT } from '../version.ts'

const { bands: BANDS } = ECHOPRINT

/** Coefficients of the linear prediction. */
export const ORDER = 40
/** Samples that are predicted by the same coefficients. */
export const BLOCK = 10_000

/** Whitened samples from one frame of the filter bank to the next. */
export const HOP = 8
/** Whitened samples that a frame of the filter bank sees. */
const WINDOW = 128
/** The windowed samples are folded to this many before they are modulated. */
export const FOLDED = 16

/** Frames of the filter bank from one envelope value to the next. */
export const STEP = 4
/** Frames of the filter bank that an envelope value sees. */
export const SMOOTHED = 8

/** Room for whitened samples that no complete frame has used yet. */
export const WHITENED_CARRY = WINDOW + HOP
/** Room for frames that no complete envelope value has used yet. */
export const POWERS_CARRY = SMOOTHED
const FRAMES = POWERS_CARRY + (WHITENED_CARRY + BLOCK) / HOP
/** Outputs are made in groups of 16 at most; the last one may reach beyond what was asked for. */
const SPARE = 16

/** How many values the buffers of a kernel hold. */
export const SIZES = Object.freeze({
  samples: ORDER + BLOCK + SPARE,
  correlation: ORDER + 1,
  predictor: ORDER + 1,
  whitened: WHITENED_CARRY + BLOCK + SPARE,
  powers: FRAMES * BANDS,
  envelopes: Math.ceil(FRAMES / STEP) * BANDS,
})

/**
 * The inner loops of the stages, over buffers that the stages fill and read. The buffers keep
 * nothing from one block to the next, so that one kernel serves all coders of a thread.
 *
 * Every product and every sum is rounded to single precision, in the order that the stages state.
 */
export interface Kernel {
  /** ORDER samples before a block, then the block. */
  readonly samples: Float32Array
  /** Of a block, by lag. */
  readonly correlation: Float32Array
  /** From index 1 on. */
  readonly predictor: Float32Array
  /** WHITENED_CARRY samples, then the whitened block. */
  readonly whitened: Float32Array
  /** POWERS_CARRY frames, then those of a block: `[frame][band]`. */
  readonly powers: Float32Array
  /** `[step][band]`. */
  readonly envelopes: Float32Array
  /** Correlates the block's first `length` samples with themselves: `correlation`. */
  correlate(length: number): void
  /** Subtracts the prediction from the block's first `length` samples: `whitened`. */
  predict(length: number): void
  /** Makes `count` frames of the whitened samples from index `from` on: `powers`. */
  subbands(from: number, count: number): void
  /** Makes `count` envelope values of each band from frame `from` of `powers` on: `envelopes`. */
  smooth(from: number, count: number): void
}

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
  // The cosine of a right angle is computed as about 1e-16, too small to change any sum.
  return Math.abs(value) < 1e-9 ? 0 : value
})

/**
 * A stage whose outputs each see more of a buffer than they advance: what the next output needs too
 * is carried from one block to the next, in front of it.
 */
class Overlapping {
  readonly #carried: Float32Array
  #held = 0

  /**
   * @param buffer - has room for `carry` inputs, then for those of a block
   * @param width - the values of an input
   * @param hop - inputs from one output to the next
   * @param outputsOf - how many outputs so many inputs give
   * @param make - makes outputs of the inputs from one on
   */
  constructor(
    private readonly buffer: Float32Array,
    private readonly carry: number,
    private readonly width: number,
    private readonly hop: number,
    private readonly outputsOf: (inputs: number) => number,
    private readonly make: (from: number, count: number) => void,
  ) {
    this.#carried = new Float32Array(carry * width)
  }

  /** Takes the `length` inputs that the buffer holds. @returns how many outputs were made */
  pass(length: number): number {
    const { buffer, width } = this
    const from = this.carry - this.#held
    buffer.set(this.#carried.subarray(0, this.#held * width), from * width)
    const all = this.#held + length
    const count = Math.max(0, this.outputsOf(all))
    this.make(from, count)
    this.#held = all - count * this.hop
    const next = (from + count * this.hop) * width
    this.#carried.set(buffer.subarray(next, next + this.#held * width))
    return count
  }
}

/**
 * Makes the power in eight bands of equal width of whitened samples, every 8 samples: the polyphase
 * filter bank of MPEG-1 audio, made complex and decimated by four.
 *
 *     folded[k] = Σ window[k + 16 n]·x[k + 16 n],  n = 0 … 7
 *     power[band] = (Σ cosine[k][band]·folded[k])² + (Σ sine[k][band]·folded[k])²,  k = 0 … 15
 */
export function subbandsBy(kernel: Kernel): Overlapping {
  // The original asks for 7 samples more than a frame sees, the one it does not whiten included.
  const framesOf = (samples: number) => Math.floor((samples + 1 - (WINDOW - 1)) / HOP)
  const make = (from: number, count: number) => kernel.subbands(from, count)
  return new Overlapping(kernel.whitened, WHITENED_CARRY, 1, HOP, framesOf, make)
}

/** Hann's window. */
export const SMOOTHING = Float32Array.from(
  { length: SMOOTHED },
  (_, k) => 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / (SMOOTHED - 1)),
)

/**
 * Makes the envelope of each band of frames, a value every 32 samples: the root of the power under a
 * window of eight frames.
 */
export function envelopesBy(kernel: Kernel): Overlapping {
  const valuesOf = (frames: number) => Math.floor(frames / STEP) - 1
  const make = (from: number, count: number) => kernel.smooth(from, count)
  return new Overlapping(kernel.powers, POWERS_CARRY, BANDS, STEP, valuesOf, make)
}

/** How much of a block's correlation enters the running one. */
const SHARE = 0.125
/** Keeps the prediction of silence defined. */
const START = 0.001
/** A coefficient over this makes later squares overflow. */
const MOST = 1e12

const { fround } = Math

/**
 * Linear prediction of order 40, adapted every 10,000 samples: the prediction error has a flat
 * spectrum, whatever the recording's equalisation (Ellis, Whitman & Porter, "Echoprint: an open
 * music identification service", ISMIR 2011).
 *
 *     whitened[i] = x[i] − a[1]·x[i − 1] − … − a[40]·x[i − 40]
 *
 * The terms are taken in order of their lag, except for the first 40 samples of a block: there the
 * terms that reach before the block come first.
 */
export class Whitening {
  /** The running correlation at lags 0 … ORDER. */
  readonly #running = new Float32Array(ORDER + 1)
  readonly #history = new Float32Array(ORDER)

  constructor(private readonly kernel: Kernel) {
    this.#running[0] = START
  }

  /** Whitens the first `length` samples of the block. */
  pass(block: Float32Array, length: number): void {
    const { samples, correlation, predictor } = this.kernel
    samples.set(this.#history)
    samples.set(block.subarray(0, length), ORDER)
    this.kernel.correlate(length)
    const running = this.#running
    for (let lag = 0; lag <= ORDER; lag++) {
      const change = fround(SHARE * fround(correlation[lag]! - running[lag]!))
      running[lag] = running[lag]! + change
    }
    solve(running, predictor)
    this.kernel.predict(length)
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
  // A steady tone and then minutes of silence give 0 / 0. The original finds no onset from there
  // on; here such a block stays as it is.
  for (let j = 1; j <= ORDER; j++) if (!(Math.abs(a[j]!) <= MOST)) return void a.fill(0)
}

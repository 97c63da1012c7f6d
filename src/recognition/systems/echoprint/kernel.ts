import { ECHOPRINT_SYSTEM } from '../version.ts'

const { bands: BAND_COUNT } = ECHOPRINT_SYSTEM

/** Coefficients of the linear prediction. */
export const PREDICTION_ORDER = 40
/** Samples that are predicted by the same coefficients. */
export const WHITENING_BLOCK = 10_000

export const FILTER_HOP = 8
const FILTER_WINDOW = 128
/** The windowed samples are folded to this many before they are modulated. */
export const FOLDED_SAMPLES = 16

export const ENVELOPE_STEP = 4
export const SMOOTHED_FRAMES = 8

/** Room for whitened samples that no frame has used yet. */
export const WHITENED_CARRY = FILTER_WINDOW + FILTER_HOP
/** Room for frames that no envelope value has used yet. */
export const POWERS_CARRY = SMOOTHED_FRAMES
const MAX_FILTER_FRAMES = POWERS_CARRY + (WHITENED_CARRY + WHITENING_BLOCK) / FILTER_HOP
/** Outputs come in groups of at most 16, so the last may reach beyond. */
const SPARE_OUTPUTS = 16

export const BUFFER_SIZES = Object.freeze({
  samples: PREDICTION_ORDER + WHITENING_BLOCK + SPARE_OUTPUTS,
  correlation: PREDICTION_ORDER + 1,
  predictor: PREDICTION_ORDER + 1,
  whitened: WHITENED_CARRY + WHITENING_BLOCK + SPARE_OUTPUTS,
  powers: MAX_FILTER_FRAMES * BAND_COUNT,
  envelopes: Math.ceil(MAX_FILTER_FRAMES / ENVELOPE_STEP) * BAND_COUNT,
})

/**
 * The inner loops. Buffers keep nothing between blocks, so one kernel serves a thread; every sum is
 * rounded to single precision.
 */
export interface EchoprintKernel {
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

/** Every fourth value of the analysis window of ISO/IEC 11172-3 (table C.1), in units of 2⁻²¹. */
const HALF_PROTOTYPE = [
  1, 2, 3, 5, 8, 13, 19, 29, 41, 58, 79, 104, 132, 161, 190, 213, 227, 224, 200, 146, 57, -72, -244,
  -459, -711, -991, -1283, -1567, -1817, -2001, -2085, -2037, -1822, -1414, -794, 45, 1095, 2330,
  3705, 5153, 6589, 7910, 8998, 9727, 9966, 9592, 8492, 6574, 3776, 70, -4533, -9975, -16155,
  -22929, -30112, -37489, -44821, -51853, -58333, -64019, -68692, -72169, -74313, -75038,
]

/** The window, its sign changed for every other 16 samples, as the folding needs it. */
export const ANALYSIS_WINDOW = Float32Array.from({ length: FILTER_WINDOW }, (_, i) => {
  const unit = HALF_PROTOTYPE[Math.min(i, 126 - i)] ?? 0
  // The standard prints nine decimals.
  const value = Math.round((unit * 1e9) / 2 ** 21) / 1e9
  return Math.floor(i / FOLDED_SAMPLES) % 2 === 0 ? value : -value
})

/** Bands whose modulation is stated; that of band 7 − b differs in signs only. */
const HALF_BANDS = BAND_COUNT / 2

/** For each folded sample the cosines, then the sines of bands 0 … 3. */
export const MODULATION_TABLE = Float32Array.from(
  { length: FOLDED_SAMPLES * 2 * HALF_BANDS },
  (_, i) => {
    const sample = Math.floor(i / (2 * HALF_BANDS))
    const angle = ((2 * (i % HALF_BANDS) + 1) * (sample - 4) * Math.PI) / FOLDED_SAMPLES
    const value = Math.floor(i / HALF_BANDS) % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
    // Computed as about 1e-16 where it is zero.
    return Math.abs(value) < 1e-9 ? 0 : value
  },
)

/** A stage whose outputs see more than they advance: that part is carried between blocks. */
class OverlappingStage {
  readonly #carried: Float32Array
  #carriedInputs = 0

  /** `width` is the values of an input, `hop` the inputs from one output to the next. */
  constructor(
    private readonly buffer: Float32Array,
    private readonly carry: number,
    private readonly width: number,
    private readonly hop: number,
    private readonly outputsOf: (inputs: number) => number,
    private readonly makeOutputs: (from: number, count: number) => void,
  ) {
    this.#carried = new Float32Array(carry * width)
  }

  /** @returns how many outputs were made */
  passInputs(length: number): number {
    const { buffer, width } = this
    const start = this.carry - this.#carriedInputs
    buffer.set(this.#carried.subarray(0, this.#carriedInputs * width), start * width)
    const inputs = this.#carriedInputs + length
    const count = Math.max(0, this.outputsOf(inputs))
    this.makeOutputs(start, count)
    this.#carriedInputs = inputs - count * this.hop
    const nextInput = (start + count * this.hop) * width
    this.#carried.set(buffer.subarray(nextInput, nextInput + this.#carriedInputs * width))
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
export function createSubbands(kernel: EchoprintKernel): OverlappingStage {
  // The original asks for 7 samples more than a frame sees, the one it does not whiten included.
  const framesOf = (samples: number) => Math.floor((samples + 1 - (FILTER_WINDOW - 1)) / FILTER_HOP)
  const makeOutputs = (from: number, count: number) => kernel.subbands(from, count)
  return new OverlappingStage(kernel.whitened, WHITENED_CARRY, 1, FILTER_HOP, framesOf, makeOutputs)
}

/** Hann's window. */
export const SMOOTHING_WINDOW = Float32Array.from(
  { length: SMOOTHED_FRAMES },
  (_, k) => 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / (SMOOTHED_FRAMES - 1)),
)

/** The root of the power under a window of eight frames, every 32 samples. */
export function createEnvelopes(kernel: EchoprintKernel): OverlappingStage {
  const valuesOf = (frames: number) => Math.floor(frames / ENVELOPE_STEP) - 1
  const makeOutputs = (from: number, count: number) => kernel.smooth(from, count)
  return new OverlappingStage(
    kernel.powers,
    POWERS_CARRY,
    BAND_COUNT,
    ENVELOPE_STEP,
    valuesOf,
    makeOutputs,
  )
}

const CORRELATION_SHARE = 0.125
/** Keeps the prediction of silence defined. */
const SILENCE_CORRELATION = 0.001
/** A coefficient over this makes later squares overflow. */
const MAX_COEFFICIENT = 1e12

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
  /** At lags 0 … `PREDICTION_ORDER`. */
  readonly #running = new Float32Array(PREDICTION_ORDER + 1)
  readonly #history = new Float32Array(PREDICTION_ORDER)

  constructor(private readonly kernel: EchoprintKernel) {
    this.#running[0] = SILENCE_CORRELATION
  }

  whitenBlock(block: Float32Array, length: number): void {
    const { samples, correlation, predictor } = this.kernel
    samples.set(this.#history)
    samples.set(block.subarray(0, length), PREDICTION_ORDER)
    this.kernel.correlate(length)
    const running = this.#running
    for (let lag = 0; lag <= PREDICTION_ORDER; lag++) {
      const change = fround(CORRELATION_SHARE * fround(correlation[lag]! - running[lag]!))
      running[lag] = running[lag]! + change
    }
    solvePredictor(running, predictor)
    this.kernel.predict(length)
    // The original reads one sample too early, so the newest is the last but one.
    this.#history.set(samples.subarray(length - 1, length - 1 + PREDICTION_ORDER))
  }
}

/** Durbin's recursion: the predictor `a[1 …]` for the correlation `r`. */
function solvePredictor(r: Float32Array, a: Float32Array): void {
  let error = r[0]!
  for (let i = 1; i <= PREDICTION_ORDER; i++) {
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
  // A steady tone and then silence give 0 / 0; such a block stays as it is.
  for (let j = 1; j <= PREDICTION_ORDER; j++)
    if (!(Math.abs(a[j]!) <= MAX_COEFFICIENT)) return void a.fill(0)
}

import { ECHOPRINT } from '../version.ts'

const { bands: BANDS } = ECHOPRINT

/** Coefficients of the linear prediction. */
export const ORDER = 40
/** Samples that are predicted by the same coefficients. */
export const BLOCK = 10_000

/** Whitened samples from one frame of the filter bank to the next. */
export const HOP = 8
/** Whitened samples that a frame of the filter bank sees. */
export const WINDOW = 128
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
 * The inner loops of the stages, over buffers that the stages fill and read: working space, which
 * holds nothing from one block to the next, so that one kernel serves all coders of a thread.
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
  /** WHITENED_CARRY samples, then what became of a block. */
  readonly whitened: Float32Array
  /** POWERS_CARRY frames, then those of a block: `[frame][band]`. */
  readonly powers: Float32Array
  /** `[step][band]`. */
  readonly envelopes: Float32Array
  /** Correlates the block's first `length` samples with themselves: `correlation`. */
  correlate(length: number): void
  /** Takes from the block's first `length` samples what the predictor foresees: `whitened`. */
  predict(length: number): void
  /** Makes `count` frames of the whitened samples from index `from` on: `powers`. */
  subbands(from: number, count: number): void
  /** Makes `count` envelope values of each band from frame `from` of `powers` on: `envelopes`. */
  smooth(from: number, count: number): void
}

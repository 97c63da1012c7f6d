import { oncePerThread } from '../../audio/web-assembly.ts'
import { ParameterError } from '../../values/errors.ts'
import type { Codes } from './codes.ts'
import {
  createEnvelopes,
  createSubbands,
  type EchoprintKernel,
  WHITENING_BLOCK,
  Whitening,
} from './echoprint/kernel.ts'
import { BandOnsets } from './echoprint/onsets.ts'
import { createEchoprintKernel } from './echoprint/simd.ts'
import { ECHOPRINT_SYSTEM } from './version.ts'

const LAST_SECOND = Math.floor((ECHOPRINT_SYSTEM.lastTime * ECHOPRINT_SYSTEM.timeUnit) / 1000)

const echoprintKernelOfThread = oncePerThread(createEchoprintKernel)

export interface Echoprint {
  /** The codes of version 4.12, band by band. */
  readonly codes: Codes
  /** For each band the frames (of 32 samples) with an onset, ascending. */
  readonly onsets: readonly Uint32Array[]
}

/**
 * The codes of Echoprint 4.12 from mono at 11,025 Hz, bit for bit those of the original generator.
 */
export class EchoprintCoder {
  readonly #startOffset: number
  readonly #whitening: Whitening
  readonly #subbands: ReturnType<typeof createSubbands>
  readonly #envelopes: ReturnType<typeof createEnvelopes>
  readonly #kernel: EchoprintKernel
  readonly #onsets = Array.from(
    { length: ECHOPRINT_SYSTEM.bands },
    (_, band) => new BandOnsets(band),
  )
  /** A block can be whitened when the sample after it is known. */
  readonly #block = new Float32Array(WHITENING_BLOCK + 1)
  #sampleCount = 0
  #remaining: number

  /** `startOffset` is whole seconds of the recording before the first sample. */
  constructor(options: { startOffset?: number; kernel?: EchoprintKernel } = {}) {
    const { startOffset = 0, kernel = echoprintKernelOfThread() } = options
    if (!(Number.isInteger(startOffset) && startOffset >= 0)) {
      throw new ParameterError(
        'invalid_parameter',
        `startOffset must be a whole number of seconds, not ${startOffset}.`,
      )
    }
    this.#startOffset = startOffset
    this.#remaining = Math.max(0, LAST_SECOND - startOffset) * ECHOPRINT_SYSTEM.sampleRate
    this.#kernel = kernel
    this.#whitening = new Whitening(kernel)
    this.#subbands = createSubbands(kernel)
    this.#envelopes = createEnvelopes(kernel)
  }

  push(samples: Float32Array): void {
    const length = Math.min(samples.length, this.#remaining)
    this.#remaining -= length
    const block = this.#block
    for (let offset = 0; offset < length; ) {
      const count = Math.min(length - offset, block.length - this.#sampleCount)
      quantizeSamples(samples, offset, count, block, this.#sampleCount)
      offset += count
      this.#sampleCount += count
      if (this.#sampleCount < block.length) return
      this.#codeBlock(WHITENING_BLOCK)
      block.copyWithin(0, WHITENING_BLOCK)
      this.#sampleCount = 1
    }
  }

  /** The coder cannot be used for another recording. */
  finish(): Echoprint {
    // The original leaves the last sample out.
    if (this.#sampleCount > 1) this.#codeBlock(this.#sampleCount - 1)
    const onsets = this.#onsets.map((band) => band.finish())
    return { codes: codesFromOnsets(onsets, this.#startOffset), onsets }
  }

  #codeBlock(length: number): void {
    this.#whitening.whitenBlock(this.#block, length)
    const frames = this.#subbands.passInputs(length)
    const steps = this.#envelopes.passInputs(frames)
    for (const band of this.#onsets) band.passEnvelopes(this.#kernel.envelopes, steps)
  }
}

export function computeEchoprint(
  samples: Float32Array,
  options: { startOffset?: number; kernel?: EchoprintKernel } = {},
): Echoprint {
  const coder = new EchoprintCoder(options)
  coder.push(samples)
  return coder.finish()
}

/** As the original reads samples: rounded and clipped to 16 bits; NaN counts as 0. */
function quantizeSamples(
  samples: Float32Array,
  start: number,
  count: number,
  block: Float32Array,
  offset: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = samples[start + i]! * 32_768 + 32_768.5
    // Raised above zero, so that cutting the fraction off rounds down.
    const raised = value >= 65_535 ? 65_535 : value > 0 ? value | 0 : value <= 0 ? 0 : 32_768
    block[offset + i] = (raised - 32_768) / 32_768
  }
}

const {
  sampleRate: SAMPLE_RATE,
  frame: FRAME_SAMPLES,
  timeUnit: TIME_UNIT,
  lastTime: LAST_UNIT,
} = ECHOPRINT_SYSTEM

/** Codes that every onset gives. */
const CODES_PER_ONSET = 6
/** The two gaps of each code, as the numbers of the onsets they lie between. */
const GAP_ONSETS = [
  [0, 1, 1, 2],
  [0, 1, 1, 3],
  [0, 2, 2, 3],
  [0, 1, 1, 4],
  [0, 2, 2, 4],
  [0, 3, 3, 4],
] as const
const HASH_SEED = 0x9ea5fa36
/** The multiplier of MurmurHash2 (Austin Appleby, public domain). */
const HASH_MULTIPLIER = 0x5bd1e995
/** A code has 20 bits. */
const CODE_MASK = 0xfffff
/** The original rounds its period of 256 samples to single precision. */
const PERIOD_SECONDS = Math.fround(256 / SAMPLE_RATE)

/** For each onset the two gaps to the next four, in six ways, hashed with the band. */
export function codesFromOnsets(onsets: readonly Uint32Array[], startOffset = 0): Codes {
  const maxCodes =
    CODES_PER_ONSET * onsets.reduce((sum, frames) => sum + Math.max(0, frames.length - 2), 0)
  const codes = new Uint32Array(maxCodes)
  const times = new Uint32Array(maxCodes)
  let count = 0
  for (const [band, frames] of onsets.entries()) {
    for (let i = 0; i + 2 < frames.length; i++) {
      const time = echoprintTime(startOffset + (frames[i]! * FRAME_SAMPLES) / SAMPLE_RATE)
      if (time > LAST_UNIT) break
      for (const [a, b, c, d] of GAP_ONSETS) {
        const isWhole = i + d < frames.length
        const first = isWhole ? gapUnits(frames[i + b]! - frames[i + a]!) : 0
        const second = isWhole ? gapUnits(frames[i + d]! - frames[i + c]!) : 0
        times[count] = time
        codes[count++] = hashGaps(first, second, band)
      }
    }
  }
  return { codes: codes.slice(0, count), times: times.slice(0, count) }
}

/** Units of a moment in seconds. */
function echoprintTime(seconds: number): number {
  return Math.floor(
    (Math.round((seconds * 1000) / PERIOD_SECONDS) * (256 / SAMPLE_RATE)) / TIME_UNIT,
  )
}

function gapUnits(frames: number): number {
  return Math.floor((frames * ((FRAME_SAMPLES * 1000) / SAMPLE_RATE)) / TIME_UNIT) & 0xffff
}

function hashGaps(first: number, second: number, band: number): number {
  let h = HASH_SEED ^ 5
  let k = Math.imul((second << 16) | first, HASH_MULTIPLIER)
  k = Math.imul(k ^ (k >>> 24), HASH_MULTIPLIER)
  h = Math.imul(h, HASH_MULTIPLIER) ^ k
  h = Math.imul(h ^ band, HASH_MULTIPLIER)
  h = Math.imul(h ^ (h >>> 13), HASH_MULTIPLIER)
  return (h ^ (h >>> 15)) & CODE_MASK
}

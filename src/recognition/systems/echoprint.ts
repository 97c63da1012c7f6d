import { ofThread } from '../../audio/web-assembly.ts'
import { ParameterError } from '../../values/errors.ts'
import type { Codes } from './codes.ts'
import { BLOCK, envelopesBy, type Kernel, subbandsBy, Whitening } from './echoprint/kernel.ts'
import { BandOnsets } from './echoprint/onsets.ts'
import { simdKernel } from './echoprint/simd.ts'
import { ECHOPRINT } from './version.ts'

/** The last moment that a code string can name, seconds. */
const LAST_SECOND = Math.floor((ECHOPRINT.lastTime * ECHOPRINT.timeUnit) / 1000)

const kernelOfThread = ofThread(simdKernel)

export interface Echoprint {
  /** The codes of version 4.12, band by band. */
  readonly codes: Codes
  /** For each band the frames (of 32 samples) with an onset, ascending: for `codesFromOnsets`. */
  readonly onsets: readonly Uint32Array[]
}

/**
 * Makes the codes of Echoprint 4.12 from mono samples at 11,025 Hz, piece by piece: the same codes,
 * bit for bit, as the original generator makes of the same samples, however they are cut.
 *
 * It keeps one block of samples and the onsets, some 60 kB for an hour. Sound after the first 6.7
 * hours of a recording has no codes: a code string has no digits for its time.
 */
export class EchoprintCoder {
  readonly #startOffset: number
  readonly #whitening: Whitening
  readonly #subbands: ReturnType<typeof subbandsBy>
  readonly #envelopes: ReturnType<typeof envelopesBy>
  readonly #kernel: Kernel
  readonly #onsets = Array.from({ length: ECHOPRINT.bands }, (_, band) => new BandOnsets(band))
  /** A block can be whitened when the sample after it is known. */
  readonly #block = new Float32Array(BLOCK + 1)
  #held = 0
  /** The number of samples that can still be taken. */
  #room: number

  /**
   * @param options.startOffset - whole seconds of the recording before the first sample
   * @param options.kernel - for tests
   */
  constructor(options: { startOffset?: number; kernel?: Kernel } = {}) {
    const { startOffset = 0, kernel = kernelOfThread() } = options
    if (!(Number.isInteger(startOffset) && startOffset >= 0)) {
      throw new ParameterError(
        'invalid_parameter',
        `startOffset must be a whole number of seconds, not ${startOffset}.`,
      )
    }
    this.#startOffset = startOffset
    this.#room = Math.max(0, LAST_SECOND - startOffset) * ECHOPRINT.sampleRate
    this.#kernel = kernel
    this.#whitening = new Whitening(kernel)
    this.#subbands = subbandsBy(kernel)
    this.#envelopes = envelopesBy(kernel)
  }

  /** Takes the next samples; they are neither kept nor changed. */
  push(samples: Float32Array): void {
    const length = Math.min(samples.length, this.#room)
    this.#room -= length
    const block = this.#block
    for (let from = 0; from < length; ) {
      const count = Math.min(length - from, block.length - this.#held)
      quantize(samples, from, count, block, this.#held)
      from += count
      this.#held += count
      if (this.#held < block.length) return
      this.#pass(BLOCK)
      block.copyWithin(0, BLOCK)
      this.#held = 1
    }
  }

  /** Ends the recording. The coder cannot be used for another one. */
  finish(): Echoprint {
    // The original leaves the last sample out.
    if (this.#held > 1) this.#pass(this.#held - 1)
    const onsets = this.#onsets.map((band) => band.finish())
    return { codes: codesFromOnsets(onsets, this.#startOffset), onsets }
  }

  #pass(length: number): void {
    this.#whitening.pass(this.#block, length)
    const frames = this.#subbands.pass(length)
    const steps = this.#envelopes.pass(frames)
    for (const band of this.#onsets) band.pass(this.#kernel.envelopes, steps)
  }
}

/** The codes of a whole recording: mono samples at 11,025 Hz. */
export function echoprint(
  samples: Float32Array,
  options: { startOffset?: number; kernel?: Kernel } = {},
): Echoprint {
  const coder = new EchoprintCoder(options)
  coder.push(samples)
  return coder.finish()
}

/**
 * Copies samples, rounded and clipped to 16 bits, as the original generator reads them. NaN counts
 * as 0.
 */
function quantize(
  samples: Float32Array,
  from: number,
  count: number,
  block: Float32Array,
  at: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = samples[from + i]! * 32_768 + 32_768.5
    // Raised above zero, so that cutting the fraction off rounds down.
    const raised = value >= 65_535 ? 65_535 : value > 0 ? value | 0 : value <= 0 ? 0 : 32_768
    block[at + i] = (raised - 32_768) / 32_768
  }
}

const { sampleRate: RATE, frame: FRAME, timeUnit: UNIT, lastTime: LAST } = ECHOPRINT

/** Codes that every onset gives. */
const PAIRS = 6
/** The two gaps of each code, as the numbers of the onsets they lie between. */
const GAPS = [
  [0, 1, 1, 2],
  [0, 1, 1, 3],
  [0, 2, 2, 3],
  [0, 1, 1, 4],
  [0, 2, 2, 4],
  [0, 3, 3, 4],
] as const
const SEED = 0x9ea5fa36
/** The multiplier of MurmurHash2 (Austin Appleby, public domain). */
const MULTIPLIER = 0x5bd1e995
/** A code has 20 bits. */
const MASK = 0xfffff
/** What the original divides by to count in periods of 256 samples, which it rounds to single precision. */
const PERIOD = Math.fround(256 / RATE)

/**
 * The codes of the onsets in each band (frames, ascending): for each onset the two gaps that lie
 * between it and the next four, in six ways, hashed with the band.
 *
 * @param startOffset - whole seconds of the recording before frame 0
 */
export function codesFromOnsets(onsets: readonly Uint32Array[], startOffset = 0): Codes {
  const most = PAIRS * onsets.reduce((sum, frames) => sum + Math.max(0, frames.length - 2), 0)
  const codes = new Uint32Array(most)
  const times = new Uint32Array(most)
  let count = 0
  for (const [band, frames] of onsets.entries()) {
    for (let i = 0; i + 2 < frames.length; i++) {
      const time = timeOf(startOffset + (frames[i]! * FRAME) / RATE)
      if (time > LAST) break
      for (const [a, b, c, d] of GAPS) {
        const whole = i + d < frames.length
        const first = whole ? gapOf(frames[i + b]! - frames[i + a]!) : 0
        const second = whole ? gapOf(frames[i + d]! - frames[i + c]!) : 0
        times[count] = time
        codes[count++] = hash(first, second, band)
      }
    }
  }
  return { codes: codes.slice(0, count), times: times.slice(0, count) }
}

/** Units of a moment in seconds. */
function timeOf(seconds: number): number {
  return Math.floor((Math.round((seconds * 1000) / PERIOD) * (256 / RATE)) / UNIT)
}

/** Units of a gap in frames, as 16 bits. */
function gapOf(frames: number): number {
  return Math.floor((frames * ((FRAME * 1000) / RATE)) / UNIT) & 0xffff
}

/** MurmurHash2 of five bytes: both gaps, little-endian, and the band. */
function hash(first: number, second: number, band: number): number {
  let h = SEED ^ 5
  let k = Math.imul((second << 16) | first, MULTIPLIER)
  k = Math.imul(k ^ (k >>> 24), MULTIPLIER)
  h = Math.imul(h, MULTIPLIER) ^ k
  h = Math.imul(h ^ band, MULTIPLIER)
  h = Math.imul(h ^ (h >>> 13), MULTIPLIER)
  return (h ^ (h >>> 15)) & MASK
}

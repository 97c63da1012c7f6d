import { ParameterError } from '../errors.ts'
import type { Codes } from './codes.ts'
import { Envelopes } from './echoprint/envelopes.ts'
import { codesFromOnsets } from './echoprint/hash.ts'
import { BLOCK, type Kernel } from './echoprint/kernel.ts'
import { BandOnsets } from './echoprint/onsets.ts'
import { scalarKernel } from './echoprint/scalar.ts'
import { simdKernel } from './echoprint/simd.ts'
import { Subbands } from './echoprint/subbands.ts'
import { Whitening } from './echoprint/whitening.ts'
import { ECHOPRINT } from './version.ts'

export { codesFromOnsets } from './echoprint/hash.ts'

/** The last moment that a code string can name, seconds. */
const LAST_SECOND = Math.floor((ECHOPRINT.lastTime * ECHOPRINT.timeUnit) / 1000)

/** The kernel of this thread, made at first use: coders use it in turn, as `push` does not wait. */
let kernelOfThread: Kernel | undefined

function fastest(): Kernel {
  kernelOfThread ??= simdKernel() ?? scalarKernel()
  return kernelOfThread
}

/** What a recording's sound leaves behind. */
export interface Echoprint {
  /** Band by band; what `version` 4.12 stands for. */
  readonly codes: Codes
  /** For each band the frames (of 32 samples) with an onset, ascending: for `codesFromOnsets`. */
  readonly onsets: readonly Uint32Array[]
}

/**
 * Makes the codes of Echoprint 4.12 from mono samples at 11,025 Hz, piece by piece: the same codes,
 * bit for bit, as the original generator makes of the same samples, however they are cut.
 *
 * It keeps one block of samples and the onsets, some 60 kB for an hour. What lies more than 6.7
 * hours into the recording has no codes: a code string has no digits for its time.
 */
export class EchoprintCoder {
  readonly #startOffset: number
  readonly #whitening: Whitening
  readonly #subbands: Subbands
  readonly #envelopes: Envelopes
  readonly #kernel: Kernel
  readonly #onsets = Array.from({ length: ECHOPRINT.bands }, (_, band) => new BandOnsets(band))
  /** A block can be whitened once there is a sample behind it. */
  readonly #block = new Float32Array(BLOCK + 1)
  #held = 0
  /** Samples that are still to be taken. */
  #room: number

  /**
   * @param options.startOffset whole seconds of the recording before the first sample
   * @param options.kernel for tests and benchmarks
   */
  constructor(options: { startOffset?: number; kernel?: Kernel } = {}) {
    const { startOffset = 0, kernel = fastest() } = options
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
    this.#subbands = new Subbands(kernel)
    this.#envelopes = new Envelopes(kernel)
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

  /** Ends the recording; the coder takes no other. */
  finish(): Echoprint {
    // The original leaves the last sample out.
    if (this.#held > 1) this.#pass(this.#held - 1)
    const onsets = this.#onsets.map((band) => band.finish())
    return { codes: codesFromOnsets(onsets, { startOffset: this.#startOffset }), onsets }
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
 * Copies samples, rounded and clipped to 16 bits, as the original generator reads them. What is no
 * number counts as 0.
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

import { heardRate } from '../../audio/mono-stream.ts'
import { Resampler } from '../../audio/resample.ts'
import { type Echoprint, EchoprintCoder } from './echoprint.ts'
import { LandmarkCoder, type Landmarks } from './landmarks.ts'
import { ECHOPRINT } from './version.ts'

/** The fingerprint data of a recording, before it becomes codes. */
export interface Traces {
  echoprint: Echoprint
  landmarks: Landmarks
}

/** Takes the fingerprints of a streamed mono mix. It holds at most a second of the audio. */
export class Fingerprinter {
  readonly #resampler: Resampler
  readonly #echoprint: EchoprintCoder
  readonly #landmarks = new LandmarkCoder()

  /**
   * @param options.sampleRate - of the recording, Hz, a whole number
   * @param options.startOffset - whole seconds of the recording before the first sample
   */
  constructor({ sampleRate, startOffset = 0 }: { sampleRate: number; startOffset?: number }) {
    this.#echoprint = new EchoprintCoder({ startOffset })
    this.#resampler = printResampler(sampleRate)
  }

  /** Takes the next samples of the mono mix, at {@link heardRate}. */
  push(mono: Float32Array): void {
    this.#take(this.#resampler.push(mono))
  }

  finish(): Traces {
    this.#take(this.#resampler.flush())
    return { echoprint: this.#echoprint.finish(), landmarks: this.#landmarks.finish() }
  }

  #take(samples: Float32Array): void {
    this.#echoprint.push(samples)
    this.#landmarks.push(samples)
  }
}

/**
 * Makes 11,025 Hz, which fingerprints need, of the mono mix at {@link heardRate}.
 *
 * @param sampleRate - of the recording, Hz
 */
export function printResampler(sampleRate: number): Resampler {
  return new Resampler(heardRate(sampleRate), ECHOPRINT.sampleRate)
}

import { heardRate } from '../../audio/mono-stream.ts'
import { Resampler } from '../../audio/resample.ts'
import { type Echoprint, EchoprintCoder } from './echoprint.ts'
import { LandmarkCoder, type Landmarks } from './landmarks.ts'
import { ECHOPRINT_SYSTEM } from './version.ts'

export interface PrintTraces {
  echoprint: Echoprint
  landmarks: Landmarks
}

/** Takes the fingerprints of a streamed mono mix, holding at most a second of it. */
export class Fingerprinter {
  readonly #resampler: Resampler
  readonly #echoprint: EchoprintCoder
  readonly #landmarks = new LandmarkCoder()

  constructor({ sampleRate, startOffset = 0 }: { sampleRate: number; startOffset?: number }) {
    this.#echoprint = new EchoprintCoder({ startOffset })
    this.#resampler = printResampler(sampleRate)
  }

  push(mono: Float32Array): void {
    this.#addSamples(this.#resampler.push(mono))
  }

  finish(): PrintTraces {
    this.#addSamples(this.#resampler.flush())
    return { echoprint: this.#echoprint.finish(), landmarks: this.#landmarks.finish() }
  }

  #addSamples(samples: Float32Array): void {
    this.#echoprint.push(samples)
    this.#landmarks.push(samples)
  }
}

/** Makes the 11,025 Hz of fingerprints from the mono mix at {@link heardRate}. */
export function printResampler(sampleRate: number): Resampler {
  return new Resampler(heardRate(sampleRate), ECHOPRINT_SYSTEM.sampleRate)
}

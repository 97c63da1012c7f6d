import { MonoMix } from '../../audio/mono-mix.ts'
import { Resampler } from '../../audio/resample.ts'
import { type Echoprint, EchoprintCoder } from './echoprint.ts'
import { LandmarkCoder, type Landmarks } from './landmarks.ts'
import { ECHOPRINT } from './version.ts'

/** The fingerprint data of a recording, before it becomes codes. */
export interface Traces {
  echoprint: Echoprint
  landmarks: Landmarks
}

/** Takes the fingerprints of streamed audio. It holds at most a second of the audio. */
export class Fingerprinter {
  readonly #mono: MonoStream
  readonly #echoprint: EchoprintCoder
  readonly #landmarks = new LandmarkCoder()

  /**
   * @param options.sampleRate - Hz, a whole number
   * @param options.startOffset - whole seconds of the recording before the first sample
   */
  constructor({ sampleRate, startOffset = 0 }: { sampleRate: number; startOffset?: number }) {
    this.#echoprint = new EchoprintCoder({ startOffset })
    this.#mono = new MonoStream(sampleRate, (samples) => {
      this.#echoprint.push(samples)
      this.#landmarks.push(samples)
    })
  }

  push(channels: readonly Float32Array[]): void {
    this.#mono.push(channels)
  }

  finish(): Traces {
    this.#mono.finish()
    return { echoprint: this.#echoprint.finish(), landmarks: this.#landmarks.finish() }
  }
}

/** Mixes streamed audio to mono at 11,025 Hz, as fingerprints need it. */
export class MonoStream {
  readonly #resampler: Resampler
  readonly #mix: MonoMix

  /**
   * @param sampleRate - Hz, a whole number
   * @param take - receives the samples, valid until it returns
   */
  constructor(
    sampleRate: number,
    private readonly take: (samples: Float32Array) => void,
  ) {
    this.#resampler = new Resampler(sampleRate, ECHOPRINT.sampleRate)
    this.#mix = new MonoMix(sampleRate, (mono) => take(this.#resampler.push(mono)))
  }

  push(channels: readonly Float32Array[]): void {
    this.#mix.push(channels)
  }

  finish(): void {
    this.#mix.finish()
    this.take(this.#resampler.flush())
  }
}

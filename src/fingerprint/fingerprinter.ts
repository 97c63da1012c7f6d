import { type Echoprint, EchoprintCoder } from './echoprint.ts'
import { LandmarkCoder, type Landmarks } from './landmarks.ts'
import { MonoStream } from './mono-stream.ts'

/** What the sound of a recording leaves behind, before it becomes codes. */
export interface Traces {
  echoprint: Echoprint
  landmarks: Landmarks
}

/** Takes the fingerprints of audio as it streams by. No sample is kept. */
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

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    this.#mono.push(channels)
  }

  finish(): Traces {
    this.#mono.finish()
    return { echoprint: this.#echoprint.finish(), landmarks: this.#landmarks.finish() }
  }
}

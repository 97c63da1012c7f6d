import { mixToMono, soundOf } from '../audio/mono.ts'
import { Resampler } from '../audio/resample.ts'
import { type Echoprint, EchoprintCoder } from './echoprint.ts'
import { LandmarkCoder, type Landmarks } from './landmarks.ts'
import { ECHOPRINT } from './version.ts'

/** What the sound of a recording leaves behind, before it becomes codes. */
export interface Traces {
  echoprint: Echoprint
  landmarks: Landmarks
}

/** Samples of a channel that are taken at a time. */
const BLOCK = 8_192

/**
 * Takes the fingerprints of audio as it streams by: the mono mix at 11,025 Hz, once for both
 * coders. No sample is kept.
 */
export class Fingerprinter {
  readonly #resampler: Resampler | undefined
  readonly #echoprint: EchoprintCoder
  readonly #landmarks = new LandmarkCoder()
  readonly #mono = new Float32Array(BLOCK)

  /**
   * @param options.sampleRate - Hz, a whole number
   * @param options.startOffset - whole seconds of the recording before the first sample
   */
  constructor({ sampleRate, startOffset = 0 }: { sampleRate: number; startOffset?: number }) {
    const rate = ECHOPRINT.sampleRate
    this.#resampler = sampleRate === rate ? undefined : new Resampler(sampleRate, rate)
    this.#echoprint = new EchoprintCoder({ startOffset })
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let from = 0; from < length; from += BLOCK) {
      const to = Math.min(length, from + BLOCK)
      this.#mix(channels.map((samples) => samples.subarray(from, to)))
      this.#take(
        this.#resampler
          ? this.#resampler.push(this.#mono, to - from)
          : this.#mono.subarray(0, to - from),
      )
    }
  }

  finish(): Traces {
    if (this.#resampler) this.#take(this.#resampler.flush())
    return { echoprint: this.#echoprint.finish(), landmarks: this.#landmarks.finish() }
  }

  #mix(channels: readonly Float32Array[]): void {
    const length = channels[0]!.length
    if (mixToMono(channels, length, this.#mono)) return
    mixToMono(
      channels.map((samples) => samples.map(soundOf)),
      length,
      this.#mono,
    )
  }

  #take(samples: Float32Array): void {
    if (samples.length === 0) return
    this.#echoprint.push(samples)
    this.#landmarks.push(samples)
  }
}

import { mixToMono, soundOf } from '../audio/mono.ts'
import { Resampler } from '../audio/resample.ts'
import { ECHOPRINT } from './version.ts'

/** Samples of a channel that are taken at a time. */
const BLOCK = 8_192

/** The mono mix at 11,025 Hz that fingerprints are taken of, as audio streams by. No sample is kept. */
export class MonoStream {
  readonly #resampler: Resampler | undefined
  readonly #take: (samples: Float32Array) => void
  readonly #mono = new Float32Array(BLOCK)

  /**
   * @param sampleRate - Hz, a whole number
   * @param take - receives the samples, valid until it returns
   */
  constructor(sampleRate: number, take: (samples: Float32Array) => void) {
    const rate = ECHOPRINT.sampleRate
    this.#resampler = sampleRate === rate ? undefined : new Resampler(sampleRate, rate)
    this.#take = take
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let from = 0; from < length; from += BLOCK) {
      const to = Math.min(length, from + BLOCK)
      this.#mix(channels.map((samples) => samples.subarray(from, to)))
      this.#give(
        this.#resampler
          ? this.#resampler.push(this.#mono, to - from)
          : this.#mono.subarray(0, to - from),
      )
    }
  }

  finish(): void {
    if (this.#resampler) this.#give(this.#resampler.flush())
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

  #give(samples: Float32Array): void {
    if (samples.length > 0) this.#take(samples)
  }
}

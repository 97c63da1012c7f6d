import SparkMD5 from 'spark-md5'
import { MonoMix } from '../audio/mono-mix.ts'
import { Resampler } from '../audio/resample.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** The checksum of mono samples at ANALYSIS_RATE, as 16-bit integers. */
export class SampleSum {
  // Browsers have no MD5.
  readonly #md5 = new SparkMD5.ArrayBuffer()
  #integers = new Int16Array(0)

  push(samples: Float32Array): void {
    if (this.#integers.length < samples.length) this.#integers = new Int16Array(samples.length)
    const integers = this.#integers
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]! * 32_768 + 0.5
      // The offset makes the value positive, so that `| 0` rounds down.
      integers[i] =
        value >= 32_767 ? 32_767 : value < -32_768 ? -32_768 : ((value + 32_768) | 0) - 32_768
    }
    this.#md5.append(integers.buffer.slice(0, 2 * samples.length))
  }

  /** MD5 of the samples, 32 hexadecimal digits. */
  finish(): string {
    return this.#md5.end()
  }
}

/** The checksum that the analysis of a recording contains, without the rest of the analysis. */
export class SoundSum {
  readonly #sum = new SampleSum()
  readonly #resampler: Resampler
  readonly #mix: MonoMix

  /** @param sampleRate - Hz */
  constructor(sampleRate: number) {
    this.#resampler = new Resampler(sampleRate, ANALYSIS_RATE)
    this.#mix = new MonoMix(sampleRate, (mono) => this.#sum.push(this.#resampler.push(mono)))
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    this.#mix.push(channels)
  }

  /** MD5 of the mono samples, 32 hexadecimal digits. */
  finish(): string {
    this.#mix.finish()
    this.#sum.push(this.#resampler.flush())
    return this.#sum.finish()
  }
}

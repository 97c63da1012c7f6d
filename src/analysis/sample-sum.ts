import SparkMD5 from 'spark-md5'
import { MonoStream } from '../audio/mono-stream.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** Three times as fast; browsers have none, and bundlers must not see an import of it. */
const native = globalThis.process?.getBuiltinModule?.('crypto')

/** The checksum of mono samples at ANALYSIS_RATE, as 16-bit integers. */
export class SampleSum {
  readonly #native = native?.createHash('md5')
  readonly #spark = native ? undefined : new SparkMD5.ArrayBuffer()
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
    this.#native?.update(integers.subarray(0, samples.length))
    this.#spark?.append(integers.buffer.slice(0, 2 * samples.length))
  }

  finish(): string {
    return this.#native?.digest('hex') ?? this.#spark!.end()
  }
}

/** The checksum that the analysis of a recording contains, without the rest of the analysis. */
export class SoundSum {
  readonly #sum = new SampleSum()
  readonly #mono: MonoStream

  /** @param sampleRate - Hz */
  constructor(sampleRate: number) {
    this.#mono = new MonoStream(sampleRate, (samples) => this.#sum.push(samples), ANALYSIS_RATE)
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    this.#mono.push(channels)
  }

  /** MD5 of the mono samples, 32 hexadecimal digits. */
  finish(): string {
    this.#mono.finish()
    return this.#sum.finish()
  }
}

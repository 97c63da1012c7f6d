import { MonoMix } from './mono-mix.ts'
import { Resampler } from './resample.ts'

/** Hz. The rate of the mono mix that the analysis works on. */
export const MONO_RATE = 22_050

/** Receives a stretch of the mono mix at {@link heardRate}, valid until it returns. */
export type MonoListener = (samples: Float32Array) => void

/** The rate in Hz at which others hear the mix: audio is made coarser, never finer. */
export function heardRate(sampleRate: number): number {
  return Math.min(sampleRate, MONO_RATE)
}

/** Mixes audio to mono and lowers its rate, for those who need no analysis. */
export class MonoStream {
  readonly #resampler: Resampler
  readonly #mix: MonoMix

  constructor(
    sampleRate: number,
    private readonly hear: MonoListener,
    rate = heardRate(sampleRate),
  ) {
    this.#resampler = new Resampler(sampleRate, rate)
    this.#mix = new MonoMix(sampleRate, (mono) => hear(this.#resampler.push(mono)))
  }

  push(channels: readonly Float32Array[]): void {
    this.#mix.push(channels)
  }

  finish(): undefined {
    this.#mix.finish()
    this.hear(this.#resampler.flush())
  }
}

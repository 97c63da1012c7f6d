import { LEVEL_FRAMES } from '../analysis/frame-grid.ts'
import { windowOf } from '../analysis/meyda.ts'
import { BLOCKS_AHEAD, kneeOf, NOVELTY_BANDS, pooledLevel } from '../analysis/novelty.ts'
import { SPECTRA } from '../analysis/spectra.ts'
import { MONO_RATE } from '../audio/mono-stream.ts'
import { Resampler } from '../audio/resample.ts'
import { SpectrumStream } from '../audio/spectra/spectrum-stream.ts'

const WINDOW = windowOf('hanning', SPECTRA.size)
const BANDS = NOVELTY_BANDS.bands.length / 2
/** Samples that are mixed at a time. */
const BLOCK = 1_024
/** A larger value is no sound, and one that is not finite counts as 0. */
const LOUDEST = 1e6
/** Channels cancel each other out where the power of their mean is below this share of their own. */
const CANCELLING = 0.01

/** Receives the levels of a frame, valid until it returns. */
export type LevelListener = (levels: Float64Array) => void

/**
 * The front end of the analysis on a stream: mono mix, spectra, and the levels that the rhythm network reads,
 * compressed by the loudest band of the last seconds. A frame comes as soon as its samples are there.
 */
export class LiveFront {
  readonly #take: LevelListener
  readonly #resampler: Resampler
  readonly #spectra: SpectrumStream
  readonly #mono = new Float32Array(BLOCK)
  /** The first samples of the mono mix, as many as were last needed. */
  #part = this.#mono
  readonly #before = new Float64Array(BANDS)
  readonly #levels = new Float64Array(BANDS)
  /** The loudest band of each group of frames, of those that compression looks back to. */
  readonly #peaks = new Float64Array(BLOCKS_AHEAD + 1)
  #frames = 0
  /** Samples over which the channels are compared, and those compared. */
  readonly #compared: number
  #sinceCompared = 0
  #powerOfMean = 0
  #powerOfChannels = 0
  #cancels = false

  /** Seconds from the middle of a frame to the sample that completes it. */
  readonly delay: number

  /** @param sampleRate - Hz, a whole number */
  constructor(sampleRate: number, take: LevelListener) {
    this.#take = take
    this.#compared = sampleRate
    this.#resampler = new Resampler(sampleRate, MONO_RATE)
    const { size, hop } = SPECTRA
    this.delay = (size / 2 + hop / 2) / MONO_RATE + this.#resampler.reach / sampleRate
    const listen = (_: Float32Array, sums: readonly Float64Array[]) => this.#listen(sums[0]!)
    this.#spectra = new SpectrumStream(WINDOW, SPECTRA.hop, listen, [NOVELTY_BANDS], true)
  }

  push(channels: readonly Float32Array[]): void {
    const length = channels[0]!.length
    for (let from = 0; from < length; from += BLOCK) {
      const count = Math.min(BLOCK, length - from)
      this.#mix(channels, from, count)
      if (this.#part.length !== count) this.#part = this.#mono.subarray(0, count)
      const made = this.#resampler.convert(this.#part)
      this.#spectra.push(this.#resampler.output, made)
    }
  }

  /** The mean of the channels; the first is added while they cancel each other out. */
  #mix(channels: readonly Float32Array[], from: number, count: number): void {
    for (let i = 0; i < count; i++) {
      let sum = 0
      let power = 0
      for (let c = 0; c < channels.length; c++) {
        const sample = soundOf(channels[c]![from + i]!)
        sum += sample
        power += sample * sample
      }
      const mean = sum / channels.length
      this.#mono[i] = this.#cancels ? mean + soundOf(channels[0]![from + i]!) : mean
      this.#powerOfMean += mean * mean
      this.#powerOfChannels += power / channels.length
      if (++this.#sinceCompared < this.#compared) continue
      this.#cancels = this.#powerOfMean < CANCELLING * this.#powerOfChannels
      this.#sinceCompared = this.#powerOfMean = this.#powerOfChannels = 0
    }
  }

  #listen(sums: Float64Array): void {
    const frame = this.#frames++
    const peaks = this.#peaks
    const group = Math.floor(frame / LEVEL_FRAMES) % peaks.length
    if (frame % LEVEL_FRAMES === 0) peaks[group] = 0
    for (let band = 0; band < BANDS; band++)
      if (sums[band]! > peaks[group]!) peaks[group] = sums[band]!
    if (frame % 2 === 0) {
      this.#before.set(sums)
      return
    }
    let peak = 0
    for (let i = 0; i < peaks.length; i++) if (peaks[i]! > peak) peak = peaks[i]!
    const knee = kneeOf(peak)
    for (let band = 0; band < BANDS; band++)
      this.#levels[band] = pooledLevel(this.#before[band]! + sums[band]!, knee)
    this.#take(this.#levels)
  }
}

function soundOf(sample: number): number {
  return Number.isFinite(sample) ? Math.max(-LOUDEST, Math.min(LOUDEST, sample)) : 0
}

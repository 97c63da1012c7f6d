import { MonoStream } from '../audio/mono-stream.ts'
import { PATCH_HOP, PATCH_SAMPLES, patchOf, SOUND_RATE } from './log-mel.ts'
import { CLASSES, MOMENTS, type Moment } from './sound-classes.ts'
import type { SoundNetwork } from './sound-network.ts'

/** Seconds of a patch, and from one to the next. */
export const PATCH_SECONDS = PATCH_HOP / SOUND_RATE
/** Patches from one to the next where only values of the whole are wanted. */
export const SPARSE = 3

/** What a network heard in audio. */
export interface Hearing {
  /** Patches from one that was heard to the next. */
  every: number
  /** Of each patch heard, how sure the surest class of a group is, as the logarithm of the odds. */
  moments: Record<Moment, Float32Array>
  /** The mean probability of each class. */
  means: Float64Array
}

const NAMES = Object.keys(MOMENTS) as Moment[]

/** Hears streamed audio: {@link push} block after block, then {@link finish} once. */
export class SoundListener {
  readonly #network: SoundNetwork
  readonly #every: number
  readonly #mono: MonoStream
  readonly #samples = new Float32Array(PATCH_SAMPLES)
  /** The first sample of the patch that is being filled, and the next sample. */
  #start = 0
  #next = 0
  #heard: Float32Array[] = []
  readonly #sums = new Float64Array(CLASSES)

  /**
   * @param sampleRate - Hz, of the audio
   * @param every - 1: all patches are heard; 3: every third
   */
  constructor(network: SoundNetwork, sampleRate: number, every: number) {
    this.#network = network
    this.#every = every
    this.#mono = new MonoStream(sampleRate, (samples) => this.#take(samples), SOUND_RATE)
  }

  /** Takes the next samples of all channels, equally long; they are neither kept nor changed. */
  push(channels: readonly Float32Array[]): void {
    this.#mono.push(channels)
  }

  finish(): Hearing {
    this.#mono.finish()
    // The end counts if it is half of a patch, or all that there is.
    const rest = this.#next - this.#start
    if (rest >= PATCH_HOP / 2 || (this.#heard.length === 0 && rest > 0)) this.#hear(rest)
    const patches = this.#heard
    const moments = {} as Record<Moment, Float32Array>
    for (const [i, name] of NAMES.entries())
      moments[name] = Float32Array.from(patches, (scores) => scores[i]!)
    const means = this.#sums.map((sum) => sum / Math.max(1, patches.length))
    return { every: this.#every, moments, means }
  }

  #take(samples: Float32Array): void {
    let from = Math.max(0, this.#start - this.#next)
    this.#next += Math.min(from, samples.length)
    while (from < samples.length) {
      const place = this.#next - this.#start
      const part = samples.subarray(from, from + PATCH_SAMPLES - place)
      this.#samples.set(part, place)
      this.#next += part.length
      from += part.length
      if (place + part.length < PATCH_SAMPLES) return
      this.#hear(PATCH_SAMPLES)
      this.#start += this.#every * PATCH_HOP
      const overlap = this.#next - this.#start
      if (overlap > 0) this.#samples.copyWithin(0, PATCH_SAMPLES - overlap)
      const skipped = Math.min(Math.max(0, -overlap), samples.length - from)
      from += skipped
      this.#next += skipped
    }
  }

  /** Hears the first of the held samples. */
  #hear(count: number): void {
    const scores = this.#network.hear(patchOf(this.#samples.subarray(0, count)))
    for (let i = 0; i < CLASSES; i++) this.#sums[i] = this.#sums[i]! + probabilityOf(scores[i]!)
    this.#heard.push(Float32Array.from(NAMES, (name) => surest(scores, MOMENTS[name])))
  }
}

function surest(scores: Float32Array, classes: readonly number[]): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const one of classes) highest = Math.max(highest, scores[one]!)
  return highest
}

/** The probability of which this is the logarithm of the odds. */
export function probabilityOf(score: number): number {
  return 1 / (1 + Math.exp(-score))
}

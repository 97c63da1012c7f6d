import { encodeNumbers } from './encoded-string.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** One second's upward zero crossings. */
interface Chunk {
  /** Sample of the first crossing. */
  start: number
  /** Samples from each crossing to the next. */
  steps: number[]
}

/** Most chunks kept until the middle of the track is known. */
const KEPT = 64
/** Seconds from the last chunk that is taken to the end: ends are often silent. */
const FROM_END = 5

/**
 * Collects the synchstring, version 1.0, from the mono samples as they stream by: the upward zero
 * crossings of three one-second chunks, near the beginning, the middle and the end, by which two
 * decoders' copies of the same recording can be aligned to the sample.
 *
 * Grammar: `rate chunks`, then for each chunk `count start step…`, where `count` counts the start
 * and the steps. The middle is not known until the end, so some chunks are kept at a spacing that
 * doubles whenever they are too many.
 */
export class SynchstringFront {
  #kept: Chunk[] = []
  #spacing = 1
  #recent: Chunk[] = []
  #chunk: Chunk = { start: -1, steps: [] }
  #lastCrossing = 0
  #previous = 0
  #position = 0

  push(samples: Float32Array): void {
    let previous = this.#previous
    let at = this.#position
    for (let i = 0; i < samples.length; i++, at++) {
      const value = samples[i]!
      if (at > 0 && at % ANALYSIS_RATE === 0) this.#endChunk()
      if (previous < 0 && value >= 0) {
        if (this.#chunk.start < 0) this.#chunk.start = at
        else this.#chunk.steps.push(at - this.#lastCrossing)
        this.#lastCrossing = at
      }
      previous = value
    }
    this.#previous = previous
    this.#position = at
  }

  finish(): string {
    if (this.#position % ANALYSIS_RATE !== 0) this.#endChunk()
    const seconds = this.#position / ANALYSIS_RATE
    const all = [...this.#kept, ...this.#recent].filter(({ start }) => start >= 0)
    const nearest = (second: number): Chunk =>
      all.reduce((best, chunk) => {
        const distance = Math.abs(chunk.start / ANALYSIS_RATE - second)
        return distance < Math.abs(best.start / ANALYSIS_RATE - second) ? chunk : best
      }, all[0] ?? { start: 0, steps: [] })
    const chunks = [0, seconds / 2, seconds - FROM_END].map(nearest)
    return encodeNumbers([
      ANALYSIS_RATE,
      chunks.length,
      ...chunks.flatMap(({ start, steps }) => [steps.length + 1, start, ...steps]),
    ])
  }

  #endChunk(): void {
    const index = Math.ceil(this.#position / ANALYSIS_RATE)
    const chunk = this.#chunk
    this.#chunk = { start: -1, steps: [] }
    if (chunk.start < 0) return
    this.#recent.push(chunk)
    if (this.#recent.length > FROM_END + 2) this.#recent.shift()
    if (this.#kept.length > 0 && index % this.#spacing !== 0) return
    this.#kept.push(chunk)
    if (this.#kept.length < KEPT) return
    // The first is the beginning's and stays.
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0)
    this.#spacing *= 2
  }
}

import { strToU8, zlibSync } from 'fflate/browser'
import { toBase64Url } from '../values/base64.ts'
import { LEVELS, type Levels } from './levels.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** Numbers as the published strings hold them: decimal, spaced, zlib, URL-safe base64. */
function encodeNumbers(numbers: readonly number[]): string {
  return toBase64Url(zlibSync(strToU8(numbers.join(' '))))
}

const RHYTHMSTRING = {
  rate: 11_025,
  hop: 32,
  bands: 8,
  /** A band's level rises by so many dB within 20 ms at an onset … */
  rise: 6,
  /** … from no lower than this, dB. */
  floor: -80,
  /** Seconds from one onset of a band to the next at least. */
  apart: 0.1,
}

/**
 * The rhythmstring, version 1.0: onset times in eight frequency bands, for matching and drawing.
 *
 * Grammar: `rate hop bands`, then for each band `count first step…`, in hops of 32 samples at
 * 11,025 Hz.
 *
 * @param lead - seconds of `levels` before the track begins
 */
export function rhythmstring(levels: Levels, lead = 0): string {
  const { rate, hop, bands } = RHYTHMSTRING
  const numbers: number[] = [rate, hop, bands]
  for (let band = 0; band < bands; band++) {
    const onsets = bandOnsets(levels, band)
    numbers.push(onsets.length)
    let previous = 0
    for (const time of onsets) {
      const position = Math.max(0, Math.round(((time - lead) * rate) / hop))
      numbers.push(position - previous)
      previous = position
    }
  }
  return encodeNumbers(numbers)
}

/** Times in seconds at which a band's level rises suddenly. */
function bandOnsets(levels: Levels, band: number): number[] {
  const { fps, frames } = levels
  const share = LEVELS.bands / RHYTHMSTRING.bands
  const level = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++)
    level[frame] = Math.max(RHYTHMSTRING.floor, levels.loudest(frame, band * share, share))
  const times: number[] = []
  const lag = 2
  let last = -Infinity
  for (let frame = lag; frame + lag < frames; frame++) {
    const rise = level[frame]! - level[frame - lag]!
    if (rise < RHYTHMSTRING.rise || frame - last < RHYTHMSTRING.apart * fps) continue
    if (level[frame + 1]! - level[frame + 1 - lag]! > rise) continue
    last = frame
    times.push((frame - lag / 2) / fps)
  }
  return times
}

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
    // The first chunk, that of the beginning, stays.
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0)
    this.#spacing *= 2
  }
}

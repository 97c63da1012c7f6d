import { strToU8, zlibSync } from 'fflate/browser'
import { toBase64Url } from '../values/base64.ts'
import { BAND_LEVELS, type Levels } from './levels.ts'
import { ANALYSIS_RATE } from './spectra.ts'

/** Numbers as the published strings hold them: decimal, spaced, zlib, URL-safe base64. */
function encodeNumbers(numbers: readonly number[]): string {
  return toBase64Url(zlibSync(strToU8(numbers.join(' '))))
}

const RHYTHMSTRING = {
  rate: 11_025,
  hop: 32,
  bands: 8,
  /** dB by which a band's level rises within 20 ms at an onset. */
  rise: 6,
  /** dB above which it rises. */
  floor: -80,
  /** Least seconds between onsets of a band. */
  apart: 0.1,
}

/**
 * The rhythmstring, version 1.0: onset times in eight bands. Grammar: `rate hop bands`, then for
 * each band `count first step…`, in hops of 32 samples at 11,025 Hz.
 *
 * @param lead - seconds of `levels` before the track begins
 */
export function rhythmstringOf(levels: Levels, lead = 0): string {
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

function bandOnsets(levels: Levels, band: number): number[] {
  const { fps, frames } = levels
  const share = BAND_LEVELS.bands / RHYTHMSTRING.bands
  const level = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++)
    level[frame] = Math.max(RHYTHMSTRING.floor, levels.loudestBand(frame, band * share, share))
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

interface CrossingChunk {
  start: number
  steps: number[]
}

/** Chunks kept until the middle of the track is known. */
const KEPT_CHUNKS = 64
/** Seconds from the last chunk to the end: ends are often silent. */
const FROM_END = 5

/**
 * The synchstring, version 1.0: zero crossings near beginning, middle and end, which align two
 * decoders' copies. Grammar: `rate chunks`, then for each chunk `count start step…`, where `count`
 * includes the start.
 */
export class SynchstringFront {
  #keptChunks: CrossingChunk[] = []
  #spacing = 1
  #recentChunks: CrossingChunk[] = []
  #chunk: CrossingChunk = { start: -1, steps: [] }
  #lastCrossing = 0
  #previous = 0
  #position = 0

  push(samples: Float32Array): void {
    let previous = this.#previous
    let position = this.#position
    for (let i = 0; i < samples.length; i++, position++) {
      const value = samples[i]!
      if (position > 0 && position % ANALYSIS_RATE === 0) this.#endChunk()
      if (previous < 0 && value >= 0) {
        if (this.#chunk.start < 0) this.#chunk.start = position
        else this.#chunk.steps.push(position - this.#lastCrossing)
        this.#lastCrossing = position
      }
      previous = value
    }
    this.#previous = previous
    this.#position = position
  }

  finish(): string {
    if (this.#position % ANALYSIS_RATE !== 0) this.#endChunk()
    const seconds = this.#position / ANALYSIS_RATE
    const usableChunks = [...this.#keptChunks, ...this.#recentChunks].filter(
      ({ start }) => start >= 0,
    )
    const nearestChunk = (second: number): CrossingChunk =>
      usableChunks.reduce((best, chunk) => {
        const distance = Math.abs(chunk.start / ANALYSIS_RATE - second)
        return distance < Math.abs(best.start / ANALYSIS_RATE - second) ? chunk : best
      }, usableChunks[0] ?? { start: 0, steps: [] })
    const chunks = [0, seconds / 2, seconds - FROM_END].map(nearestChunk)
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
    this.#recentChunks.push(chunk)
    if (this.#recentChunks.length > FROM_END + 2) this.#recentChunks.shift()
    if (this.#keptChunks.length > 0 && index % this.#spacing !== 0) return
    this.#keptChunks.push(chunk)
    if (this.#keptChunks.length < KEPT_CHUNKS) return
    // The first chunk, that of the beginning, stays.
    this.#keptChunks = this.#keptChunks.filter((_, i) => i % 2 === 0)
    this.#spacing *= 2
  }
}

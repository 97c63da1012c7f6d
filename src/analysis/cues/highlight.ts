import { medianOf } from '../statistics.ts'
import { type BarSound, meanLevel } from './bar-sound.ts'

const HIGHLIGHT = {
  /** Seconds. */
  length: 30,
  /** The worth of a decibel above the track's mean level: ten are half of a perfect repetition. */
  decibel: 0.05,
  /** In longer tracks only the starts are compared, because time grows with the square of bars. */
  mostBars: 2_000,
}

/**
 * The half-minute that is repeated most alike, by pitches (Bartsch & Wakefield, IEEE Trans.
 * Multimedia 7, 2005), and is loud.
 *
 * @param starts - the bars with which it may begin
 * @returns the bar, and how alike its best repetition is, 0…1
 */
export function highlightOf(
  { edges, levels, pitches }: BarSound,
  starts: readonly number[],
): { bar: number; likeness: number } | undefined {
  const lengths = levels.map((_, i) => edges[i + 1]! - edges[i]!)
  const bars = Math.max(1, Math.round(HIGHLIGHT.length / medianOf(lengths)))
  const mean = meanPitches(pitches)
  const centredPitches = pitches.map((pitch) =>
    unitVector(pitch.map((value, k) => value - mean[k]!)),
  )
  const trackLevel = meanLevel(levels)
  const comparedBars = levels.length > HIGHLIGHT.mostBars ? starts : levels.map((_, bar) => bar)
  let best: { bar: number; likeness: number } | undefined
  let bestScore = -Infinity
  for (const start of starts) {
    if (start + bars > levels.length) continue
    let likeness = 0
    for (const comparedBar of comparedBars) {
      if (Math.abs(comparedBar - start) < bars || comparedBar + bars > levels.length) continue
      let sum = 0
      for (let i = 0; i < bars; i++)
        sum += dotProduct(centredPitches[start + i]!, centredPitches[comparedBar + i]!)
      likeness = Math.max(likeness, sum / bars)
    }
    const loudness = meanLevel(levels, start, start + bars) - trackLevel
    const score = likeness + HIGHLIGHT.decibel * loudness
    if (score <= bestScore) continue
    bestScore = score
    best = { bar: start, likeness }
  }
  return best
}

function meanPitches(pitches: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(12)
  for (const pitch of pitches)
    for (let k = 0; k < 12; k++) mean[k] = mean[k]! + pitch[k]! / pitches.length
  return mean
}

function unitVector(values: Float64Array): Float64Array {
  const length = Math.hypot(...values)
  return length > 0 ? values.map((value) => value / length) : values
}

function dotProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < 12; k++) sum += a[k]! * b[k]!
  return sum
}

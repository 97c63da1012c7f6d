import { medianOf } from '../statistics.ts'
import { type BarSound, meanLevel } from './bar-sound.ts'

const HIGHLIGHT = {
  /** Seconds. */
  length: 30,
  /** What a decibel above the track's mean level is worth: ten are half of a perfect repetition. */
  decibel: 0.05,
  /** Of tracks with more bars, only those with which it may begin are compared: an hour has 2,000. */
  mostBars: 2_000,
}

/**
 * The bar with which the most typical half-minute begins: that which comes again most alike, by the
 * pitches of its bars (M. Bartsch and G. Wakefield, "Audio thumbnailing of popular music using
 * chroma-based representations", IEEE Trans. Multimedia 7, 2005), and is loud.
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
  const own = pitches.map((pitch) => unit(pitch.map((value, k) => value - mean[k]!)))
  const whole = meanLevel(levels)
  const others = levels.length > HIGHLIGHT.mostBars ? starts : levels.map((_, bar) => bar)
  let best: { bar: number; likeness: number } | undefined
  let most = -Infinity
  for (const start of starts) {
    if (start + bars > levels.length) continue
    let likeness = 0
    for (const other of others) {
      if (Math.abs(other - start) < bars || other + bars > levels.length) continue
      let sum = 0
      for (let i = 0; i < bars; i++) sum += dot(own[start + i]!, own[other + i]!)
      likeness = Math.max(likeness, sum / bars)
    }
    const loud = meanLevel(levels, start, start + bars) - whole
    const score = likeness + HIGHLIGHT.decibel * loud
    if (score <= most) continue
    most = score
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

function unit(values: Float64Array): Float64Array {
  const length = Math.hypot(...values)
  return length > 0 ? values.map((value) => value / length) : values
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < 12; k++) sum += a[k]! * b[k]!
  return sum
}

import { exactTime, type Interval } from './intervals.ts'
import { LATENESS, type Novelty } from './novelty.ts'
import { movingMean } from './statistics.ts'

const TATUMS = {
  divisions: [1, 2, 3, 4],
  prior: [-0.3, 0.2, -0.2, -0.2],
  /** Points a beat at which novelty is looked up: the least common multiple of the divisions. */
  grid: 12,
  /** Seconds on either side of the local mean novelty. */
  levelReach: 4,
  /** Share of the track's mean that is added, so that near-silence is not amplified. */
  overall: 0.1,
  /** Novelty that a point of a division must exceed, in units of the local mean. */
  expected: 1,
  /** Share of the novelty off its grid that a division loses. */
  missed: 0.5,
  changeCost: 6,
  sureMargin: 8,
}

/**
 * Cuts each beat into one to four equal tatums by novelty. A Viterbi search makes the division
 * change only where the music does.
 */
export function findTatums(beats: readonly Interval[], novelty: Novelty): Interval[] {
  if (beats.length === 0) return []
  const earned = divisionScores(beats, novelty)
  const { choice, margin } = likeliestDivisions(earned, beats.length)
  const tatums: Interval[] = []
  beats.forEach((beat, b) => {
    const tatumCount = TATUMS.divisions[choice[b]!]!
    const end = beat.start + beat.duration
    const confidence = beat.confidence * (1 - Math.exp(-margin[b]! / TATUMS.sureMargin))
    for (let tatum = 0; tatum < tatumCount; tatum++) {
      const start = exactTime(beat.start + (beat.duration * tatum) / tatumCount)
      tatums.push({ start, duration: 0, confidence: tatum === 0 ? beat.confidence : confidence })
    }
    closeGaps(tatums, tatums.length - tatumCount, end)
  })
  return tatums
}

function closeGaps(intervals: Interval[], first: number, end: number): void {
  for (let i = first; i < intervals.length; i++) {
    const interval = intervals[i]!
    interval.duration = (intervals[i + 1]?.start ?? end) - interval.start
  }
}

/** Beats × divisions, row-major. */
function divisionScores(beats: readonly Interval[], novelty: Novelty): Float64Array {
  const { fps, frames, broad } = novelty
  const typical = movingMean(broad, Math.round(TATUMS.levelReach * fps))
  const leastNovelty =
    (TATUMS.overall * broad.reduce((sum, value) => sum + value, 0)) / frames + 1e-9
  const grid = TATUMS.grid
  const points = new Float64Array(grid)
  const scores = new Float64Array(beats.length * TATUMS.divisions.length)
  beats.forEach((beat, b) => {
    const step = beat.duration / grid
    for (let point = 1; point < grid; point++) {
      const centre = (beat.start + point * step + LATENESS) * fps
      const reach = (step * fps) / 2
      let best = 0
      for (let f = Math.round(centre - reach); f <= Math.round(centre + reach); f++)
        best = Math.max(best, broad[f] ?? 0)
      const middle = Math.min(frames - 1, Math.round(centre))
      points[point] = best / (typical[middle]! + leastNovelty)
    }
    TATUMS.divisions.forEach((division, d) => {
      let score = 0
      for (let point = 1; point < grid; point++) {
        const onGrid = (point * division) % grid === 0
        score += onGrid ? points[point]! - TATUMS.expected : -TATUMS.missed * points[point]!
      }
      scores[b * TATUMS.divisions.length + d] = score + TATUMS.prior[d]!
    })
  })
  return scores
}

function likeliestDivisions(
  earned: Float64Array,
  beats: number,
): { choice: Uint8Array; margin: Float64Array } {
  const kinds = TATUMS.divisions.length
  // Best totals of paths that end in, and that start from, each state.
  const ahead = Float64Array.from(earned)
  const behind = Float64Array.from(earned)
  const enterBeat = (scores: Float64Array, row: number, previous: number): void => {
    let best = -Infinity
    for (let d = 0; d < kinds; d++) best = Math.max(best, scores[previous * kinds + d]!)
    for (let d = 0; d < kinds; d++) {
      const state = row * kinds + d
      scores[state] =
        scores[state]! + Math.max(scores[previous * kinds + d]!, best - TATUMS.changeCost)
    }
  }
  for (let b = 1; b < beats; b++) enterBeat(ahead, b, b - 1)
  for (let b = beats - 2; b >= 0; b--) enterBeat(behind, b, b + 1)
  const choice = new Uint8Array(beats)
  const margin = new Float64Array(beats)
  for (let b = 0; b < beats; b++) {
    let best = -Infinity
    let second = -Infinity
    for (let d = 0; d < kinds; d++) {
      const state = b * kinds + d
      const total = ahead[state]! + behind[state]! - earned[state]!
      if (total > best) {
        second = best
        best = total
        choice[b] = d
      } else if (total > second) second = total
    }
    margin[b] = best - second
  }
  return { choice, margin }
}

import { beatCandidates } from './beat-candidates.ts'
import { salience } from './beat-evidence.ts'
import { chooseBeatPath } from './beat-path-choice.ts'
import { between, exactTime, type Interval } from './intervals.ts'
import type { Novelty } from './onsets.ts'
import { BEATS } from './rhythm-constants.ts'
import { tempoOfBeats } from './tempo.ts'

export type { Interval } from './intervals.ts'

export interface Beats {
  /** Gap-free: each starts where the one before ends, exactly. */
  beats: Interval[]
  /** BPM; 0 when there are no beats. */
  tempo: number
  tempoConfidence: number
}

/** Finds the beats of a track and its tempo. */
export function trackBeats(novelty: Novelty, durationSeconds: number): Beats {
  const { fps } = novelty
  const { candidates, odds } = beatCandidates(novelty)
  if (candidates.length === 0) return { beats: [], tempo: 0, tempoConfidence: 0 }
  const { index, probability } = chooseBeatPath(candidates, odds, novelty)
  const standing = salience(novelty.broad, fps)
  const starts = snapped(candidates[index]!.at, standing, fps).filter(
    (start) => start >= 0 && start <= durationSeconds,
  )
  if (starts.length < 3) return { beats: [], tempo: 0, tempoConfidence: 0 }
  const beats = between(starts, (i) => {
    const frame = Math.min(standing.length - 1, Math.round((starts[i]! + BEATS.lateness) * fps))
    return 1 - Math.exp(-standing[frame]! / 2)
  })
  return { beats, tempo: tempoOfBeats(starts), tempoConfidence: probability[index]! }
}

/** Beat times: each path frame moved to the highest salience near it, less the curve's lateness. */
function snapped(frames: Float64Array, standing: Float32Array, fps: number): number[] {
  const reach = Math.round(BEATS.snap * fps)
  const times: number[] = []
  for (const exact of frames) {
    const frame = Math.round(exact)
    let at = frame
    let best = -1
    for (let f = Math.max(0, frame - reach); f <= Math.min(standing.length - 1, frame + reach); f++)
      if (standing[f]! > best) {
        best = standing[f]!
        at = f
      }
    const time = exactTime(at / fps - BEATS.lateness)
    if (times.length === 0 || time > times.at(-1)!) times.push(time)
  }
  return times
}

import { accentsOfBeats } from './beat-accents.ts'
import { between, type Interval } from './intervals.ts'
import type { Novelty } from './onsets.ts'
import { METRE } from './rhythm-constants.ts'

export interface Bars {
  /** Gap-free; each starts on a beat and ends on one, to the digit. */
  bars: Interval[]
  /** Index into the beats of each bar's first beat. */
  downbeats: Int32Array
  /** Beats in a bar, 3…7; 6 also for bars of two beats that divide in three. */
  timeSignature: number
  timeSignatureConfidence: number
}

/**
 * Groups beats into bars.
 *
 * For each metre a hidden Markov model walks through the bar beat by beat; a beat's accents speak
 * for its place in the bar, log-linearly. The metre whose best path is likeliest is the track's.
 */
export function findBars(
  beats: readonly Interval[],
  novelty: Novelty,
  _chromaOfBeat?: Float32Array,
): Bars {
  const none = {
    bars: [],
    downbeats: new Int32Array(0),
    timeSignature: 4,
    timeSignatureConfidence: 0,
  }
  if (beats.length < METRE.fewestBeats) return none
  const accents = accentsOfBeats(beats, novelty)
  const strength = new Float64Array(beats.length)
  for (let b = 0; b < beats.length; b++)
    for (let k = 0; k < accents.kinds; k++)
      strength[b] = strength[b]! + METRE.weights[k]! * accents.values[b * accents.kinds + k]!
  let best = { metre: 4, phase: 0, score: -Infinity }
  for (const metre of [3, 4]) {
    for (let phase = 0; phase < metre; phase++) {
      let sum = 0
      let count = 0
      for (let b = phase; b < beats.length; b += metre) {
        sum += strength[b]!
        count++
      }
      const score = sum / Math.sqrt(count) + (metre === 4 ? METRE.fourBonus : 0)
      if (score > best.score) best = { metre, phase, score }
    }
  }
  const downbeats: number[] = []
  for (let b = best.phase; b < beats.length; b += best.metre) downbeats.push(b)
  const last = beats.at(-1)!
  const times = downbeats.map((b) => beats[b]!.start)
  if (downbeats.at(-1)! + best.metre === beats.length) times.push(last.start + last.duration)
  const bars = between(times, () => 0.5)
  return {
    bars,
    downbeats: Int32Array.from(downbeats.slice(0, bars.length)),
    timeSignature: best.metre,
    timeSignatureConfidence: 0.5,
  }
}

import type { Candidate } from './beat-candidates.ts'
import { BEAT_PATH_WEIGHTS } from './beat-path-weights.ts'
import { beatTraits } from './beat-traits.ts'
import type { Novelty } from './onsets.ts'
import { TRAITS } from './rhythm-constants.ts'

export interface Choice {
  /** Index of the chosen candidate. */
  index: number
  /** Probability of each candidate, by the model's own reckoning. */
  probability: Float64Array
}

/**
 * Picks the beat from the candidates: a softmax over one score each, linear in the traits, in
 * hinges of the tempo, and in the products of tempo and traits. The products are what tells
 * octaves apart: sixteenth notes between the beats speak for a slow tempo and against a fast one.
 */
export function chooseBeatPath(
  candidates: readonly Candidate[],
  odds: readonly Float32Array[],
  novelty: Novelty,
): Choice {
  const { values, count } = beatTraits(candidates, odds, novelty)
  const scores = candidates.map((_, i) => score(values.subarray(i * count, (i + 1) * count)))
  const highest = scores.reduce((most, value) => Math.max(most, value), -Infinity)
  const weights = scores.map((value) => Math.exp(value - highest))
  const total = weights.reduce((sum, value) => sum + value, 0)
  return {
    index: scores.indexOf(highest),
    probability: Float64Array.from(weights, (weight) => weight / total),
  }
}

function score(traits: Float64Array): number {
  const { mean, deviation, weight } = BEAT_PATH_WEIGHTS
  let sum = 0
  expandTraits(traits).forEach((value, i) => {
    const standard = (value - mean[i]!) / deviation[i]!
    sum += weight[i]! * Math.max(-TRAITS.clip, Math.min(TRAITS.clip, standard))
  })
  return sum
}

/** The traits, then hinges of the tempo, then each trait but the tempo times the tempo. */
export function expandTraits(traits: Float64Array): number[] {
  const pace = traits[0]!
  return [
    ...traits,
    ...TRAITS.hinges.map((hinge) => Math.max(0, pace - hinge)),
    ...traits.subarray(TRAITS.ofTempo).map((value) => value * pace),
  ]
}

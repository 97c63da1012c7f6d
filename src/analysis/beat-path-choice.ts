import type { Candidate } from './beat-candidates.ts'
import { BEAT_PATH_WEIGHTS } from './beat-path-weights.ts'
import { beatTraits, type CandidateTraits } from './beat-traits.ts'
import { type LevelModel, sameTempo, weighLevels } from './metrical-level.ts'
import { METRICAL_LEVEL_WEIGHTS } from './metrical-level-weights.ts'
import type { Novelty } from './onsets.ts'
import { pathAgreement } from './path-agreement.ts'
import { TRAITS } from './rhythm-constants.ts'
import { softmax } from './softmax.ts'

/** Of each input its mean, its standard deviation, and the weight of what is so standardised. */
export interface BeatPathModel {
  mean: readonly number[]
  deviation: readonly number[]
  weight: readonly number[]
}

export interface Choice {
  /** Index of the chosen candidate. */
  index: number
  /** What share of the beats the model expects to be right, 0…1. */
  expected: number
  /** Probability that the tempo is that of the chosen candidate. */
  tempoProbability: number
}

/**
 * Picks the beat from the candidates.
 *
 * A softmax gives each a probability from one score, linear in the traits, in hinges of the
 * tempo, and in the products of tempo and traits. The products are what tells octaves apart:
 * sixteenth notes between the beats speak for a slow tempo and against a fast one.
 *
 * Many candidates are nearly the same beats found twice. So the choice is not the likeliest, but
 * the one that agrees best with all, by their probability (CMLt 0.01 higher in cross-validation).
 * Whether its double, half, or two thirds or three halves of its tempo is the beat is asked again,
 * by models of that alone, before the final choice.
 */
export function chooseBeatPath(
  candidates: readonly Candidate[],
  odds: readonly Float32Array[],
  novelty: Novelty,
): Choice {
  const agreement = pathAgreement(candidates, novelty.fps)
  return chooseByTraits(beatTraits(candidates, odds, agreement, novelty), agreement)
}

/** The models of the choice. */
export interface BeatModels {
  path: BeatPathModel
  levels: readonly LevelModel[]
}

const SHIPPED: BeatModels = { path: BEAT_PATH_WEIGHTS, levels: METRICAL_LEVEL_WEIGHTS }

/** The choice among candidates of which only the traits and their agreement are known. */
export function chooseByTraits(
  traits: CandidateTraits,
  agreement: Float64Array,
  { path, levels }: BeatModels = SHIPPED,
): Choice {
  const scores = scoresOf(traits, path)
  const first = softmax(scores)
  const best = mostAgreed(first, agreement).index
  const chances = weighLevels(best, scores, first, traits, levels)
  const { index, expected } = mostAgreed(chances, agreement)
  const alike = sameTempo(traits, index, 0)
  return {
    index,
    expected,
    tempoProbability: alike.reduce((sum, i) => sum + chances[i]!, 0),
  }
}

/** The score of each candidate, in nats. */
export function scoresOf({ values, count }: CandidateTraits, model: BeatPathModel): number[] {
  return Array.from({ length: values.length / count }, (_, i) =>
    score(values.subarray(i * count, (i + 1) * count), model),
  )
}

/** The candidate that shares most beats with all, by their chances. */
function mostAgreed(
  chances: readonly number[],
  agreement: Float64Array,
): { index: number; expected: number } {
  let index = 0
  let expected = -1
  for (let i = 0; i < chances.length; i++) {
    let value = 0
    chances.forEach((chance, j) => {
      value += chance * agreement[i * chances.length + j]! ** 2
    })
    if (value > expected) {
      expected = value
      index = i
    }
  }
  return { index, expected }
}

function score(traits: Float64Array, { mean, deviation, weight }: BeatPathModel): number {
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

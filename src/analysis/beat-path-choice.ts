import type { Candidate } from './beat-candidates.ts'
import { BEAT_PATH_WEIGHTS } from './beat-path-weights.ts'
import { type CandidateTraits, columnOf, TEMPO_TRAITS, traitsOf } from './beat-traits.ts'
import { type LevelModel, sameTempo, weighLevels } from './metrical-level.ts'
import { METRICAL_LEVEL_WEIGHTS } from './metrical-level-weights.ts'
import { requireInputs, softmax } from './statistics.ts'

/** Octaves from the middle tempo at which the weight of tempo may change. */
const HINGES = [-0.8, -0.5, -0.2, 0.1, 0.4, 0.7]
/** No input counts for more than so many standard deviations. */
export const CLIP = 4
/** Beats this many seconds apart are the same. */
const SAME_BEAT = 0.07

/** A linear model of the inputs that {@link expandTraits} makes. */
export interface BeatPathModel {
  /** The traits that the inputs are made of, in order. */
  traits: string
  /** Of each input its mean, its standard deviation, and the weight of the standardised input. */
  mean: readonly number[]
  deviation: readonly number[]
  weight: readonly number[]
}

interface Choice {
  /** Index of the chosen candidate. */
  index: number
  /** What share of the beats the model expects to be right, 0…1. */
  expected: number
  /** Probability that the tempo is that of the chosen candidate. */
  tempoProbability: number
}

/** How far each two candidates name the same beats: F-measure within ±70 ms, n × n, 1 at i = j. */
export function pathAgreement(
  candidates: readonly Pick<Candidate, 'at'>[],
  fps: number,
): Float64Array {
  const count = candidates.length
  const agreement = new Float64Array(count * count).fill(1)
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) {
      const value = sharedBeats(candidates[i]!.at, candidates[j]!.at, SAME_BEAT * fps)
      agreement[i * count + j] = value
      agreement[j * count + i] = value
    }
  return agreement
}

function sharedBeats(one: Float64Array, other: Float64Array, reach: number): number {
  let shared = 0
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const away = one[i]! - other[j]!
    if (Math.abs(away) <= reach) {
      shared++
      i++
      j++
    } else if (away < 0) i++
    else j++
  }
  return (2 * shared) / (one.length + other.length)
}

/** The models of the choice. */
export interface BeatModels {
  path: BeatPathModel
  levels: readonly LevelModel[]
}

const SHIPPED: BeatModels = { path: BEAT_PATH_WEIGHTS, levels: METRICAL_LEVEL_WEIGHTS }

/**
 * Picks the beat from the candidates.
 *
 * A softmax gives each a probability from one score, linear in the traits, in hinges of the
 * tempo, and in the products of tempo and traits. The products are what tells octaves apart:
 * sixteenth notes between the beats speak for a slow tempo and against a fast one.
 *
 * Many candidates are nearly the same beats found twice. So the choice is the candidate that agrees
 * best with all, weighted by their probability (CMLt 0.01 higher in cross-validation than the
 * likeliest). Before the final choice, models of metrical levels compare the tempo with its double,
 * its half, and two thirds and three halves of it.
 *
 * @param agreement  from {@link pathAgreement}
 */
export function chooseBeatPath(
  traits: CandidateTraits,
  agreement: Float64Array,
  { path, levels }: BeatModels = SHIPPED,
): Choice {
  const scores = scoresOf(traits, path)
  const first = softmax(scores)
  const best = mostAgreed(first, agreement).index
  const chances = weighLevels(best, scores, first, traits, levels)
  const { index, expected } = mostAgreed(chances, agreement)
  const alike = sameTempo(columnOf(traits, 'pace'), index, 0)
  return {
    index,
    expected,
    tempoProbability: alike.reduce((sum, i) => sum + chances[i]!, 0),
  }
}

/** The score of each candidate, in nats. */
export function scoresOf(traits: CandidateTraits, model: BeatPathModel): number[] {
  requireInputs(model.traits, traits.names)
  const { mean, deviation, weight } = model
  return Array.from({ length: traits.values.length / traits.names.length }, (_, candidate) =>
    expandTraits(traits, candidate).reduce((sum, value, i) => {
      const standard = (value - mean[i]!) / deviation[i]!
      return sum + weight[i]! * Math.max(-CLIP, Math.min(CLIP, standard))
    }, 0),
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

/** A candidate's traits, then hinges of the tempo, then each trait but the tempo times the tempo. */
export function expandTraits(traits: CandidateTraits, candidate: number): number[] {
  const own = traitsOf(traits, candidate)
  const pace = own[traits.names.indexOf('pace')]!
  return [
    ...own,
    ...HINGES.map((hinge) => Math.max(0, pace - hinge)),
    ...own.filter((_, i) => !TEMPO_TRAITS.includes(traits.names[i]!)).map((value) => value * pace),
  ]
}

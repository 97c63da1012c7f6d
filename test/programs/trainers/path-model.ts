import { type BeatPathModel, CLIP, expandTraits } from '../../../src/analysis/beat-path-choice.ts'
import type { CandidateTraits } from '../../../src/analysis/beat-traits.ts'
import { softmax } from '../../../src/analysis/statistics.ts'
import { Adam } from './adam.ts'

/** One piece of music for the choice of beats: what its candidates are like, and are worth. */
export interface PathExample {
  traits: CandidateTraits
  /** Of each candidate, 0…1. */
  utility: readonly number[]
}

const ROUNDS = 300
const DECAY = 0.0003
/** The share of the loss that asks for the best candidates by name, which makes it convex early. */
const NAMING = 0.15
/** Candidates whose utility is lower by so much are named 0.37 times as often. */
const TOLERANCE = 0.08

/**
 * Fits the softmax of the choice by gradient descent on the expected utility of its pick, and to a
 * small part on the cross-entropy to a softmax of the utilities themselves.
 */
export function fitPathModel(
  examples: readonly PathExample[],
  importance: readonly number[],
): BeatPathModel {
  const rows = examples.flatMap(({ traits, utility }) =>
    utility.map((_, candidate) => expandTraits(traits, candidate)),
  )
  const width = rows[0]!.length
  const { mean, deviation } = moments(rows, width)
  const inputs = new Float32Array(rows.length * width)
  rows.forEach((row, r) => {
    row.forEach((value, i) => {
      const standard = (value - mean[i]!) / deviation[i]!
      inputs[r * width + i] = Math.max(-CLIP, Math.min(CLIP, standard))
    })
  })
  const total = importance.reduce((sum, value) => sum + value, 0)
  const named = examples.map(({ utility }) => softmax(utility.map((value) => value / TOLERANCE)))
  const weight = new Float64Array(width)
  const gradient = new Float64Array(width)
  const adam = new Adam(weight, { rate: 0.05, squares: 0.995 })
  for (let round = 0; round < ROUNDS; round++) {
    weight.forEach((value, i) => {
      gradient[i] = DECAY * value
    })
    let row = 0
    examples.forEach(({ utility }, e) => {
      const scores = utility.map((_, c) => {
        const from = (row + c) * width
        let sum = 0
        for (let i = 0; i < width; i++) sum += weight[i]! * inputs[from + i]!
        return sum
      })
      const chances = softmax(scores)
      const expected = chances.reduce((sum, chance, c) => sum + chance * utility[c]!, 0)
      chances.forEach((chance, c) => {
        const pull =
          (importance[e]! / total) *
          (NAMING * (chance - named[e]![c]!) - 2 * chance * (utility[c]! - expected))
        const from = (row + c) * width
        for (let i = 0; i < width; i++) gradient[i] = gradient[i]! + pull * inputs[from + i]!
      })
      row += utility.length
    })
    adam.step(gradient)
  }
  return {
    traits: examples[0]!.traits.names.join(' '),
    mean,
    deviation,
    weight: [...weight],
  }
}

/** Mean and standard deviation of each column. */
export function moments(
  rows: readonly (readonly number[])[],
  width: number,
): { mean: number[]; deviation: number[] } {
  const mean = Array.from({ length: width }, (_, i) =>
    rows.reduce((sum, row) => sum + row[i]! / rows.length, 0),
  )
  const deviation = mean.map(
    (centre, i) =>
      Math.sqrt(rows.reduce((sum, row) => sum + (row[i]! - centre) ** 2 / rows.length, 0)) + 1e-6,
  )
  return { mean, deviation }
}

import { type CandidateTraits, columnOf, traitsOf } from './beat-traits.ts'
import { requireInputs, softmax } from './statistics.ts'

/** Tempi this many octaves apart (4 %) are the same. */
const SAME_TEMPO = 0.057

/**
 * A tree of two questions, whether input `at` is above `over`, in ten numbers: at and over, then
 * the next at and over for no and for yes, then the values of no-no, no-yes, yes-no and yes-yes.
 */
export type Tree = readonly number[]

/** Decides between two candidates whose tempi are in a simple ratio. */
export interface LevelModel {
  /** Tempo of the faster over that of the slower. */
  ratio: number
  /** The traits that the inputs are made of, in order; see {@link levelInputs}. */
  traits: string
  /** Of each input its mean, its standard deviation, and the weight of the standardised input. */
  mean: readonly number[]
  deviation: readonly number[]
  weight: readonly number[]
  bias: number
  /** Their values are added to the weighted inputs. */
  trees: readonly Tree[]
}

/**
 * Divides the probability of the candidates anew between the tempo of the best one and the tempi that
 * are in a simple ratio to it.
 *
 * One score for all candidates must separate a beat from off-beats, noise and every other metrical
 * level at once. What separates a beat from its double is not what separates it from its triplet, so
 * each ratio has a model of its own, which looks at both candidates together. With them the tempo is
 * right for 4 to 5 more of 100 pieces that no model had learnt from.
 *
 * @param best  index of the best candidate
 * @param scores, chances  of each candidate, before this
 * @returns the chances after it, of sum 1
 */
export function weighLevels(
  best: number,
  scores: readonly number[],
  chances: readonly number[],
  traits: CandidateTraits,
  models: readonly LevelModel[],
): number[] {
  const paces = columnOf(traits, 'pace')
  const own = sameTempo(paces, best, 0).reduce((sum, i) => sum + chances[i]!, 0)
  const revised = [...chances]
  for (const model of models) {
    requireInputs(model.traits, traits.names)
    for (const octaves of [-Math.log2(model.ratio), Math.log2(model.ratio)]) {
      const rivals = sameTempo(paces, best, octaves)
      if (rivals.length === 0) continue
      const rival = likeliest(rivals, scores)
      const [slower, faster] = octaves < 0 ? [rival, best] : [best, rival]
      const odds = slowerOdds(levelInputs(traits, slower, faster, scores), model)
      const share = own * Math.exp(octaves < 0 ? odds : -odds)
      const parts = softmax(rivals.map((i) => scores[i]!))
      rivals.forEach((i, r) => {
        revised[i] = share * parts[r]!
      })
    }
  }
  const sum = revised.reduce((all, chance) => all + chance, 0)
  return revised.map((chance) => chance / sum)
}

/** The inputs of a model: the traits of both candidates, and the lead of the slower's score. */
export function levelInputs(
  traits: CandidateTraits,
  slower: number,
  faster: number,
  scores: readonly number[],
): number[] {
  return [
    ...traitsOf(traits, slower),
    ...traitsOf(traits, faster),
    scores[slower]! - scores[faster]!,
  ]
}

/** Candidates whose tempo is so many octaves above that of candidate `one`, within 4 %. */
export function sameTempo(paces: Float64Array, one: number, octaves: number): number[] {
  const pace = paces[one]! + octaves
  return [...paces.keys()].filter((i) => Math.abs(paces[i]! - pace) < SAME_TEMPO)
}

/** The one of the highest score among some candidates, at least one. */
export function likeliest(some: readonly number[], scores: readonly number[]): number {
  return some.reduce((best, i) => (scores[i]! > scores[best]! ? i : best))
}

/** Log-odds that the slower of two is the beat. */
function slowerOdds(
  inputs: readonly number[],
  { mean, deviation, weight, bias, trees }: LevelModel,
): number {
  let odds = bias
  inputs.forEach((value, i) => {
    odds += weight[i]! * ((value - mean[i]!) / deviation[i]!)
  })
  for (const tree of trees) odds += treeValue(tree, inputs)
  return odds
}

/** The value that a tree gives to some inputs. */
export function treeValue(tree: Tree, inputs: ArrayLike<number>): number {
  const side = inputs[tree[0]!]! > tree[1]! ? 1 : 0
  const at = tree[2 + 2 * side]!
  const over = tree[3 + 2 * side]!
  return tree[6 + 2 * side + (inputs[at]! > over ? 1 : 0)]!
}

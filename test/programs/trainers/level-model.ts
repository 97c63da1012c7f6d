import { type BeatPathModel, scoresOf } from '../../../src/analysis/beat-path-choice.ts'
import { columnOf } from '../../../src/analysis/beat-traits.ts'
import {
  type LevelModel,
  levelInputs,
  likeliest,
  sameTempo,
} from '../../../src/analysis/metrical-level.ts'
import { boostTrees } from './boosted-trees.ts'
import { fitLogistic } from './logistic.ts'
import { moments, type PathExample } from './path-model.ts'

/** One piece of music for the choice between metrical levels. */
export interface LevelExample extends PathExample {
  /** Of each candidate whether its tempo is right, 1 or 0. */
  verdicts: readonly { acc1: number }[]
}

/** Tempo of the faster over that of the slower. */
const RATIOS = [2, 1.5]
/** A piece teaches nothing of which no candidate of the right tempo is worth so much. */
const LEAST_UTILITY = 0.6
/** Of a linear model of a hundred inputs, over some 2,000 pairs. */
const DECAY = 0.13

/** Two candidates in a simple ratio, one of which is the beat. */
interface Pair {
  input: number[]
  slowerIsRight: number
  share: number
}

/**
 * Fits, for each ratio, a logistic model and boosted trees to pairs of candidates, and takes the
 * mean of their log-odds: better in cross-validation than either, with trees of one, two or three
 * questions, 50 to 300 of them.
 */
export function fitLevelModels(
  examples: readonly LevelExample[],
  importance: readonly number[],
  path: BeatPathModel,
): LevelModel[] {
  return RATIOS.map((ratio) => {
    const pairs = examples.flatMap((example, e) => pairsOf(example, importance[e]!, ratio, path))
    const inputs = pairs.map(({ input }) => input)
    const width = inputs[0]!.length
    const { mean, deviation } = moments(inputs, width)
    const [not, right] = fitLogistic(
      pairs.map(({ input, slowerIsRight, share }) => ({
        input: input.map((value, i) => (value - mean[i]!) / deviation[i]!),
        answer: slowerIsRight,
        share,
      })),
      2,
      // Each of two mirrored rows has half the weight that one row would have.
      2 * DECAY,
    ) as [number[], number[]]
    const boosted = boostTrees({
      inputs: Float64Array.from(inputs.flat()),
      width,
      answers: pairs.map(({ slowerIsRight }) => slowerIsRight),
      shares: pairs.map(({ share }) => share),
    })
    const linear = right.map((weight, i) => weight - not[i]!)
    return {
      ratio,
      traits: path.traits,
      mean,
      deviation,
      weight: linear.slice(0, width).map((weight) => weight / 2),
      bias: (linear[width]! + boosted.bias) / 2,
      trees: boosted.trees.map((tree) => tree.map((value, i) => (i < 6 ? value : value / 2))),
    }
  })
}

/** The best candidate of the right tempo, and the likeliest of each tempo in the ratio to it. */
function pairsOf(
  { traits, utility, verdicts }: LevelExample,
  share: number,
  ratio: number,
  path: BeatPathModel,
): Pair[] {
  const scores = scoresOf(traits, path)
  const better = (a: number, b: number): number =>
    utility[a]! - utility[b]! || scores[a]! - scores[b]!
  const right = utility.flatMap((_, i) => (verdicts[i]!.acc1 > 0 ? [i] : []))
  if (right.length === 0) return []
  const truth = right.reduce((best, i) => (better(i, best) > 0 ? i : best))
  if (utility[truth]! < LEAST_UTILITY) return []
  return [1, -1].flatMap((sense) => {
    const others = sameTempo(columnOf(traits, 'pace'), truth, sense * Math.log2(ratio))
    if (others.length === 0) return []
    const rival = likeliest(others, scores)
    const [slower, faster] = sense > 0 ? [truth, rival] : [rival, truth]
    const input = levelInputs(traits, slower, faster, scores)
    return [{ input, slowerIsRight: sense > 0 ? 1 : 0, share }]
  })
}

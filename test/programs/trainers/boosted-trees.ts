import { type Tree, treeValue } from '../../../src/analysis/metrical-level.ts'

/** Cases to learn from; `inputs` are cases × `width`, row-major. */
export interface TreeCases {
  inputs: Float64Array
  width: number
  /** Whether each is true, 1 or 0. */
  answers: readonly number[]
  /** How much each counts. */
  shares: readonly number[]
}

const TREES = 150
const RATE = 0.1
/** Thresholds tried for each input: so many quantiles. */
const BINS = 64
/** Fewest cases that an answer of a tree may rest on. */
const FEWEST = 20
/** Cases without an opinion that are added to each answer. */
const PRIOR = 1

interface Split {
  gain: number
  at: number
  /** Cases of this bin and below it answer no. */
  bin: number
}

/**
 * Boosts trees of two questions for the log-odds of true (Friedman 2001, with Newton's step for the
 * values). The first tree starts from the log-odds of all; that start is returned as `bias`.
 */
export function boostTrees(cases: TreeCases): { bias: number; trees: Tree[] } {
  const { inputs, width, answers } = cases
  const total = cases.shares.reduce((sum, share) => sum + share, 0)
  const shares = cases.shares.map((share) => (share * answers.length) / total)
  const edges = Array.from({ length: width }, (_, i) => quantiles(inputs, width, i))
  const bins = new Uint8Array(inputs.length)
  for (let c = 0; c < answers.length; c++)
    for (let i = 0; i < width; i++) {
      const value = inputs[c * width + i]!
      let bin = 0
      while (bin < edges[i]!.length && value > edges[i]![bin]!) bin++
      bins[c * width + i] = bin
    }
  const mean = answers.reduce((sum, answer, c) => sum + shares[c]! * answer, 0) / answers.length
  const bias = Math.log(mean / (1 - mean))
  const odds = new Float64Array(answers.length).fill(bias)
  const slope = new Float64Array(answers.length)
  const bend = new Float64Array(answers.length)
  const rows = answers.map((_, c) => c)
  const trees: Tree[] = []

  const value = (group: readonly number[]): number => {
    const down = group.reduce((sum, c) => sum + slope[c]!, 0)
    return (-RATE * down) / (group.reduce((sum, c) => sum + bend[c]!, 0) + PRIOR)
  }
  const part = (group: readonly number[], { at, bin }: Split): [number[], number[]] => {
    const above = (c: number) => bins[c * width + at]! > bin
    return [group.filter((c) => !above(c)), group.filter(above)]
  }
  const over = ({ at, bin }: Split): number => edges[at]![bin]!

  while (trees.length < TREES) {
    for (let c = 0; c < answers.length; c++) {
      const chance = 1 / (1 + Math.exp(-odds[c]!))
      slope[c] = shares[c]! * (chance - answers[c]!)
      bend[c] = shares[c]! * chance * (1 - chance)
    }
    const find = (group: readonly number[]): Split | undefined =>
      bestSplit(group, { bins, width, slope, bend })
    const first = find(rows)
    if (first === undefined) break
    const [no, yes] = part(rows, first)
    // Where no question is worth asking, the same one again changes nothing.
    const [second, third] = [find(no) ?? first, find(yes) ?? first]
    const leaves = [...part(no, second), ...part(yes, third)]
    const tree = [
      ...[first, second, third].flatMap((split) => [split.at, over(split)]),
      ...leaves.map(value),
    ]
    trees.push(tree)
    for (const row of rows)
      odds[row] = odds[row]! + treeValue(tree, inputs.subarray(row * width, (row + 1) * width))
  }
  return { bias, trees }
}

/** The question that lowers the loss most, by Newton's approximation to it. */
function bestSplit(
  group: readonly number[],
  of: { bins: Uint8Array; width: number; slope: Float64Array; bend: Float64Array },
): Split | undefined {
  const { bins, width, slope, bend } = of
  const down = group.reduce((sum, c) => sum + slope[c]!, 0)
  const curve = group.reduce((sum, c) => sum + bend[c]!, 0)
  const worth = (g: number, h: number): number => (g * g) / (h + PRIOR)
  let best: Split | undefined
  const slopes = new Float64Array(BINS)
  const bends = new Float64Array(BINS)
  const counts = new Float64Array(BINS)
  for (let at = 0; at < width; at++) {
    slopes.fill(0)
    bends.fill(0)
    counts.fill(0)
    for (const c of group) {
      const bin = bins[c * width + at]!
      slopes[bin] = slopes[bin]! + slope[c]!
      bends[bin] = bends[bin]! + bend[c]!
      counts[bin] = counts[bin]! + 1
    }
    let g = 0
    let h = 0
    let count = 0
    for (let bin = 0; bin < BINS - 1; bin++) {
      g += slopes[bin]!
      h += bends[bin]!
      count += counts[bin]!
      if (count < FEWEST) continue
      if (group.length - count < FEWEST) break
      const gain = worth(g, h) + worth(down - g, curve - h) - worth(down, curve)
      if (gain > (best?.gain ?? 0)) best = { gain, at, bin }
    }
  }
  return best
}

/** Rising thresholds that part the values of an input in about equal shares, at most BINS - 1. */
function quantiles(inputs: Float64Array, width: number, at: number): number[] {
  const sorted = Float64Array.from(
    { length: inputs.length / width },
    (_, c) => inputs[c * width + at]!,
  ).sort()
  const edges: number[] = []
  for (let b = 1; b < BINS; b++) {
    const rank = Math.floor((b * sorted.length) / BINS)
    const edge = (sorted[Math.max(0, rank - 1)]! + sorted[rank]!) / 2
    if (edge > (edges.at(-1) ?? -Infinity) && edge < sorted.at(-1)!) edges.push(edge)
  }
  return edges
}

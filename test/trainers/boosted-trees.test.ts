import { describe, expect, it } from 'vitest'
import { treeValue } from '../../src/analysis/metrical-level.ts'
import { boostTrees } from '../programs/trainers/boosted-trees.ts'
import { seeded } from '../support/music.ts'

describe('boostTrees', () => {
  it('learns what depends on two inputs together, which no weighted sum can', () => {
    const random = seeded(4)
    const cases = (count: number) => {
      const inputs = Float64Array.from({ length: 3 * count }, () => random() - 0.5)
      const answers = Array.from({ length: count }, (_, c) =>
        inputs[3 * c]! > 0 === inputs[3 * c + 2]! > 0.1 ? 1 : 0,
      )
      return { inputs, width: 3, answers, shares: answers.map(() => 1) }
    }
    const { bias, trees } = boostTrees(cases(600))
    const unseen = cases(300)
    const right = unseen.answers.filter((answer, c) => {
      const inputs = unseen.inputs.subarray(3 * c, 3 * c + 3)
      return trees.reduce((sum, tree) => sum + treeValue(tree, inputs), bias) > 0 === (answer === 1)
    })
    expect(right.length).toBeGreaterThan(280)
  })

  it('heeds how much each case counts', () => {
    // The same input a hundred times, of which most answer no, and the few yeses count more.
    const answers = Array.from({ length: 100 }, (_, c) => (c < 20 ? 1 : 0))
    const boosted = (share: number) =>
      boostTrees({
        inputs: new Float64Array(100).fill(1),
        width: 1,
        answers,
        shares: answers.map((answer) => (answer === 1 ? share : 1)),
      })
    expect(boosted(1)).toEqual({ bias: Math.log(0.2 / 0.8), trees: [] })
    expect(boosted(12).bias).toBeGreaterThan(1)
  })
})

import { describe, expect, it } from 'vitest'
import { type LevelModel, weighLevels } from '../../src/analysis/metrical-level.ts'

/** Of each candidate its tempo in octaves, and one more trait. */
const traits = (...rows: readonly [pace: number, trait: number][]) => ({
  values: Float64Array.from(rows.flat()),
  names: ['pace', 'trait'],
})

/** Inputs are the slower's pace and trait, the faster's, and the lead of the slower's score. */
const model = (of: Partial<LevelModel>): LevelModel => ({
  ratio: 2,
  traits: 'pace trait',
  mean: [0, 0, 0, 0, 0],
  deviation: [1, 1, 1, 1, 1],
  weight: [0, 0, 0, 0, 0],
  bias: 0,
  trees: [],
  ...of,
})
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe('weighLevels', () => {
  it('leaves the chances as they are where no tempo is in the ratio', () => {
    const chances = weighLevels(0, [1, 0], [0.7, 0.3], traits([0, 0], [0.4, 0]), [model({})])
    expect(chances).toEqual([0.7, 0.3])
  })

  it('gives the double and the half their odds against the best', () => {
    const three = traits([0, 0], [1, 0], [-1, 0])
    const scores = [3, 0, 0]
    const slower = weighLevels(0, scores, [0.9, 0.05, 0.05], three, [model({ bias: Math.log(4) })])
    expect(slower[2]! / slower[0]!).toBeCloseTo(4)
    expect(slower[1]! / slower[0]!).toBeCloseTo(1 / 4)
    expect(total(slower)).toBeCloseTo(1)
  })

  it('asks of the slower first, whichever of the two is the best', () => {
    const two = traits([0, 5], [1, 2])
    const bySlower = model({ weight: [0, 1, 0, 0, 0], mean: [0, 4, 0, 0, 0] })
    const fromSlow = weighLevels(0, [1, 0], [0.8, 0.2], two, [bySlower])
    const fromFast = weighLevels(1, [0, 1], [0.2, 0.8], two, [bySlower])
    expect(fromSlow[0]! / fromSlow[1]!).toBeCloseTo(Math.E)
    expect(fromFast[0]! / fromFast[1]!).toBeCloseTo(Math.E)
  })

  it('tells the models the lead of the score, and divides a tempo by its candidates’ scores', () => {
    const three = traits([0, 0], [1, 0], [1.01, 0])
    const byLead = model({ weight: [0, 0, 0, 0, 1] })
    const chances = weighLevels(0, [2, 1, 0], [0.8, 0.1, 0.1], three, [byLead])
    expect((chances[1]! + chances[2]!) / chances[0]!).toBeCloseTo(1 / Math.E)
    expect(chances[1]! / chances[2]!).toBeCloseTo(Math.E)
  })

  it('adds the values of the trees', () => {
    const two = traits([0, 5], [0.585, 2])
    // The slower's trait is above 4, then the faster's pace above 0.5.
    const trees = [[1, 4, 0, 0, 2, 0.5, 1, 2, 3, Math.log(7)]]
    const chances = weighLevels(0, [1, 0], [0.8, 0.2], two, [model({ ratio: 1.5, trees })])
    expect(chances[0]! / chances[1]!).toBeCloseTo(7)
  })
})

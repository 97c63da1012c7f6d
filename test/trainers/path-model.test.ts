import { describe, expect, it } from 'vitest'
import { chooseBeatPath } from '../../src/analysis/beat-path-choice.ts'
import { fitPathModel, type PathExample } from '../programs/trainers/path-model.ts'
import { seeded } from '../support/music.ts'

describe('fitPathModel', () => {
  it('learns which candidates are worth choosing', () => {
    const random = seeded(2)
    // Six candidates of five traits; the best is the one whose last trait is highest.
    const example = (): PathExample => {
      const values = Float64Array.from({ length: 30 }, () => random() - 0.5)
      const last = Array.from({ length: 6 }, (_, c) => values[5 * c + 4]!)
      return {
        traits: { names: ['pace', 'paceSquared', 'paceDistance', 'other', 'worth'], values },
        utility: last.map((value) => (value === Math.max(...last) ? 1 : 0)),
      }
    }
    const known = Array.from({ length: 80 }, example)
    const model = fitPathModel(
      known,
      known.map(() => 1),
    )
    const alone = Float64Array.from({ length: 36 }, (_, i) => (i % 7 === 0 ? 1 : 0))
    const unseen = Array.from({ length: 40 }, example)
    const right = unseen.filter(
      ({ traits, utility }) =>
        utility[chooseBeatPath(traits, alone, { path: model, levels: [] }).index] === 1,
    )
    expect(right.length).toBeGreaterThan(34)
  })
})

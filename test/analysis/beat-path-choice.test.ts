import { describe, expect, it } from 'vitest'
import {
  type BeatPathModel,
  chooseBeatPath,
  expandTraits,
  pathAgreement,
} from '../../src/analysis/beat-path-choice.ts'
import type { LevelModel } from '../../src/analysis/metrical-level.ts'

const NAMES = ['pace', 'score']

/** Candidates of which only a tempo, in octaves, and a score are known. */
function candidates(...rows: readonly (readonly [pace: number, score: number])[]) {
  const traits = { names: NAMES, values: Float64Array.from(rows.flat()) }
  const inputs = expandTraits(traits, 0).length
  const path: BeatPathModel = {
    traits: NAMES.join(' '),
    mean: Array(inputs).fill(0),
    deviation: Array(inputs).fill(1),
    weight: Array.from({ length: inputs }, (_, i) => Number(i === NAMES.indexOf('score'))),
  }
  return { traits, path, inputs: 2 * NAMES.length + 1 }
}

/** What the candidates share, each pair once: 1 with itself. */
function agreement(count: number, of: (i: number, j: number) => number): Float64Array {
  return Float64Array.from({ length: count * count }, (_, at) => {
    const i = Math.floor(at / count)
    const j = at % count
    return i === j ? 1 : of(Math.min(i, j), Math.max(i, j))
  })
}

describe('the choice of the beat', () => {
  it('is the best candidate, not the first one, where they have nothing in common', () => {
    const { traits, path } = candidates([0, 0], [0.3, 2], [0.6, 1])
    const choice = chooseBeatPath(
      traits,
      agreement(3, () => 0),
      { path, levels: [] },
    )
    expect(choice.index).toBe(1)
    expect(choice.expected).toBeCloseTo(Math.exp(2) / (1 + Math.exp(2) + Math.E))
  })

  it('is of the beats that most candidates name, though another alone is likelier', () => {
    const { traits, path } = candidates([0.4, 1.5], [0, 1], [0, 1])
    const share = (i: number, j: number) => (i === 1 && j === 2 ? 0.95 : 0.1)
    const choice = chooseBeatPath(traits, agreement(3, share), { path, levels: [] })
    expect(choice.index).toBe(1)
    expect(choice.tempoProbability).toBeCloseTo((2 * Math.E) / (Math.exp(1.5) + 2 * Math.E))
  })

  it('goes to the double where the model of doubles is sure of it', () => {
    const { traits, path, inputs } = candidates([0, 2], [1, 0])
    const faster: LevelModel = {
      ratio: 2,
      traits: NAMES.join(' '),
      mean: Array(inputs).fill(0),
      deviation: Array(inputs).fill(1),
      weight: Array(inputs).fill(0),
      bias: -3,
      trees: [],
    }
    const none = agreement(2, () => 0)
    expect(chooseBeatPath(traits, none, { path, levels: [] }).index).toBe(0)
    expect(chooseBeatPath(traits, none, { path, levels: [faster] }).index).toBe(1)
    const slower = { ...faster, bias: 3 }
    expect(chooseBeatPath(traits, none, { path, levels: [slower] }).index).toBe(0)
  })
})

describe('pathAgreement', () => {
  const at = (...times: number[]) => ({ at: Float64Array.from(times) })
  it('is the share of the beats that two candidates name within 70 ms', () => {
    const beats = at(0, 50, 100, 150)
    const shared = pathAgreement([beats, at(0, 107, 157), at(25, 75, 125), beats], 100)
    const f = (common: number, other: number) => (2 * common) / (4 + other)
    expect([...shared.subarray(0, 4)]).toEqual([1, f(3, 3), 0, 1])
    expect([...shared.subarray(4, 8)]).toEqual([f(3, 3), 1, 0, f(3, 3)])
  })
})

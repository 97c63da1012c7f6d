import { describe, expect, it } from 'vitest'
import { beatCandidates } from '../../src/analysis/beat-candidates.ts'
import { chooseBeatPath, expandTraits, pathAgreement } from '../../src/analysis/beat-path-choice.ts'
import { BEAT_PATH_WEIGHTS } from '../../src/analysis/beat-path-weights.ts'
import { beatTraits, traitsOf } from '../../src/analysis/beat-traits.ts'
import { trackBeats } from '../../src/analysis/beats.ts'
import { levelInputs } from '../../src/analysis/metrical-level.ts'
import { METRICAL_LEVEL_WEIGHTS } from '../../src/analysis/metrical-level-weights.ts'
import { beatsAtLevel } from '../support/accuracy.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { noveltyOf } from './drum-patterns.ts'

/**
 * Composed pieces whose beat is not the first path that a search finds. In the first seven the models
 * of metrical levels decide, in the last three the agreement of the paths.
 */
const PIECES = [
  { style: 'rim ballad', seed: 5, bpm: 58, bars: 6, key: 5, mode: 1 },
  { style: 'piano ballad', seed: 4, bpm: 68, bars: 7, key: 10, mode: 0 },
  { style: 'mambo', seed: 4, bpm: 91, bars: 9, key: 5, mode: 1 },
  { style: 'swing', seed: 7, bpm: 204, bars: 19, key: 5, mode: 1 },
  { style: 'jazz waltz', seed: 3, bpm: 208, bars: 26, key: 3, mode: 1 },
  { style: 'slip jig', seed: 3, bpm: 111, bars: 14, key: 5, mode: 1 },
  { style: 'six-eight march', seed: 8, bpm: 99, bars: 19, key: 8, mode: 0 },
  { style: 'house', seed: 4, bpm: 123, bars: 12, key: 2, mode: 0 },
  { style: 'mambo', seed: 5, bpm: 95, bars: 9, key: 5, mode: 1 },
  { style: 'ambient', seed: 4, bpm: 107, bars: 10, key: 7, mode: 1 },
] as const

const HEARD = PIECES.map(({ bpm, ...passage }) => {
  const { samples, sampleRate, beats } = knownPiece({ bpm, passages: [passage] })
  return { beats, novelty: noveltyOf(samples), seconds: samples.length / sampleRate }
})

describe('the choice among beat paths', () => {
  it('finds the beat where no single path and no single layer does', () => {
    // Measured: 1.00; 0.30 without the models of metrical levels, 0.70 when the likeliest path is taken
    // instead of the one that agrees best, and 0.20 when it is always the first path.
    const shares = HEARD.map(({ beats, novelty, seconds }) =>
      beatsAtLevel(
        beats,
        trackBeats(novelty, seconds).beats.map(({ start }) => start),
      ),
    )
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.9)
  })

  it('has weights for every input, and refuses traits that they were not fitted on', () => {
    const { novelty } = HEARD[0]!
    const { candidates, odds } = beatCandidates(novelty)
    const agreement = pathAgreement(candidates, novelty.fps)
    const traits = beatTraits(candidates, odds, agreement, novelty)
    expect(traitsOf(traits, 0).length).toBe(traits.names.length)
    const inputs = expandTraits(traits, 0).length
    const { mean, deviation, weight } = BEAT_PATH_WEIGHTS
    expect([mean, deviation, weight].map(({ length }) => length)).toEqual(Array(3).fill(inputs))
    const pair = levelInputs(traits, 0, 1, Array(candidates.length).fill(0)).length
    for (const { mean, deviation, weight, trees } of METRICAL_LEVEL_WEIGHTS) {
      expect([mean, deviation, weight].map(({ length }) => length)).toEqual(Array(3).fill(pair))
      for (const [first, , no, , yes] of trees)
        expect([first, no, yes].every((at) => at! >= 0 && at! < pair)).toBe(true)
    }
    const [first, second, ...others] = traits.names
    const swapped = { ...traits, names: [second!, first!, ...others] }
    expect(() => chooseBeatPath(swapped, agreement)).toThrow('fitted on other inputs')
  })
})

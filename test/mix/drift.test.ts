import { describe, expect, it } from 'vitest'
import { assorted, mixLibrary, stepsOf } from '../support/mix-library.ts'

const STEPS = 200

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('a mix without an end', () => {
  it('stays with its seed, or goes as far as adventurousness says', async () => {
    const { music, tracks } = await mixLibrary(assorted(20))
    const distancesFromSeed = async (adventurousness: number, seed: number) => {
      const wish = { seeds: tracks[20]!, adventurousness, spacing: {}, seed }
      const mix = await music.mixes.create({ ...wish, repeatAfter: (6 * 30) / 3_600 })
      return (await stepsOf(mix, STEPS)).map(({ reasons }) => reasons.fromSeeds!)
    }
    const near = await distancesFromSeed(0, 1)
    expect(near).toHaveLength(STEPS)
    expect(mean(near.slice(-STEPS / 4))).toBeLessThan(1.05 * mean(near.slice(0, STEPS / 4)))
    // Where one wandering mix goes is chance.
    const far = [
      await distancesFromSeed(1, 1),
      await distancesFromSeed(1, 2),
      await distancesFromSeed(1, 3),
    ]
    expect(mean(far.flat())).toBeGreaterThan(1.1 * mean(near))
  })
})

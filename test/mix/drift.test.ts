import { describe, expect, it } from 'vitest'
import { assorted, mixLibrary, stepsOf } from '../support/mix-library.ts'

const STEPS = 200

describe('a mix without an end', () => {
  it('stays with its seed, or goes as far as adventurousness says', async () => {
    const { music, tracks } = await mixLibrary(assorted(20))
    /** The mean distance from the seed, in the first and in the last quarter. */
    const distancesFromSeed = async (adventurousness: number) => {
      const wish = { seeds: tracks[20]!, adventurousness, spacing: {}, seed: 1 }
      const mix = await music.mixes.create({ ...wish, repeatAfter: (6 * 30) / 3_600 })
      const apart = (await stepsOf(mix, STEPS)).map(({ reasons }) => reasons.fromSeeds!)
      expect(apart).toHaveLength(STEPS)
      return [apart.slice(0, STEPS / 4), apart.slice(-STEPS / 4)].map(
        (part) => part.reduce((sum, distance) => sum + distance, 0) / part.length,
      ) as [number, number]
    }
    const [first, last] = await distancesFromSeed(0)
    const [, far] = await distancesFromSeed(1)
    expect(last).toBeLessThan(1.05 * first)
    expect(far).toBeGreaterThan(1.3 * last)
  })
})

import { describe, expect, it } from 'vitest'
import { Arc } from '../../src/mix/arc.ts'
import { type PoolWish, smallerPool } from '../../src/mix/pool.ts'
import type { Wish } from '../../src/mix/wish.ts'
import type { LibraryValues } from '../../src/track/album-groups.ts'

const COUNT = 6_000
const nothing = { sounds: [], moods: [], tracks: [] }

/** The numbers that stay of 6,000 tracks, whose distance from the seeds is a share of ten. */
function kept(wish: Partial<Wish>, fromSeeds: (num: number) => number) {
  const nums = Int32Array.from({ length: COUNT }, (_, i) => i)
  const columns = { energy: Float64Array.from(nums, (num) => num / COUNT) }
  const given = { adventurousness: 0, arc: {}, ...wish } as Wish
  const values = { length: COUNT, columns } as unknown as LibraryValues
  const arc = new Arc(given, values, nums)
  const pool = {
    nums,
    fromSeeds: Float64Array.from(nums, fromSeeds),
    against: new Float64Array(COUNT),
    isAll: true,
  }
  const made: PoolWish = {
    wish: given,
    seed: 1,
    seeds: nothing,
    less: nothing,
    skipped: nothing,
    arc,
  }
  return smallerPool(pool, made)
}

describe('the pool of a large library', () => {
  const mixedUp = (num: number) => (10 * ((num * 7_919) % COUNT)) / COUNT

  it('has the tracks nearest to the seeds', () => {
    const { nums, fromSeeds, isAll } = kept({}, mixedUp)
    expect(isAll).toBe(false)
    expect(nums).toHaveLength(2_000)
    expect([...nums]).toEqual([...nums].sort((a, b) => a - b))
    expect([...fromSeeds]).toEqual([...nums].map(mixedUp))
    expect(Math.max(...fromSeeds)).toBeLessThan(10 / 3)
  })

  it('has any tracks where the seeds do not count', () => {
    const { fromSeeds } = kept({ adventurousness: 1 }, mixedUp)
    const mean = fromSeeds.reduce((sum, apart) => sum + apart, 0) / fromSeeds.length
    expect(Math.abs(mean - 5)).toBeLessThan(0.3)
  })

  it('has as many of each part of the range of an arc', () => {
    const flat = kept({}, (num) => num / 600)
    expect(Math.max(...flat.nums)).toBe(1_999)
    const { nums } = kept({ arc: { energy: [0, 1] }, length: 9 }, (num) => num / 600)
    const parts = new Array<number>(20).fill(0)
    for (const num of nums) parts[Math.floor((20 * num) / COUNT)]!++
    // A rank is a middle, so one at an edge may be counted on either side.
    for (const part of parts) expect(Math.abs(part - 100)).toBeLessThanOrEqual(1)
  })
})

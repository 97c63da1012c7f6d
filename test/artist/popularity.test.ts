import { describe, expect, it } from 'vitest'
import {
  decayHeat,
  HALF_LIFE_DAYS,
  scalePopularity,
  shrinkPopularity,
} from '../../src/artist/popularity.ts'

const DAY = 86_400_000

describe('decayed', () => {
  it('halves what plays are worth with each half-life', () => {
    expect(decayHeat(8, 0, 0)).toBe(8)
    expect(decayHeat(8, 0, HALF_LIFE_DAYS * DAY)).toBeCloseTo(4, 12)
    expect(decayHeat(8, 0, 3 * HALF_LIFE_DAYS * DAY)).toBeCloseTo(1, 12)
    expect(decayHeat(0, 0, 5)).toBe(0)
  })

  it('is the same in one step as in several', () => {
    const later = decayHeat(decayHeat(5, 0, 17 * DAY), 17 * DAY, 90 * DAY)
    expect(later).toBeCloseTo(decayHeat(5, 0, 90 * DAY), 12)
  })

  it('does not grow when the clock was set back', () => {
    expect(decayHeat(8, 10 * DAY, 0)).toBe(8)
  })
})

describe('shrunk', () => {
  it('believes a value the more, the more listeners it comes of', () => {
    expect(shrinkPopularity(0.8, 0)).toBe(0)
    expect(shrinkPopularity(0.8, 1)).toBeCloseTo(0.8 / 51, 12)
    expect(shrinkPopularity(0.8, 50)).toBeCloseTo(0.4, 12)
    expect(shrinkPopularity(0.8, 5_000)).toBeCloseTo(0.792, 3)
  })
})

describe('popularity', () => {
  it('is 0 for nothing, 1 for the most of any, between them for all else', () => {
    expect(scalePopularity(0, 10)).toBe(0)
    expect(scalePopularity(10, 10)).toBe(1)
    const values = [1, 2, 5, 9].map((n) => scalePopularity(n, 10))
    expect(values).toEqual([...values].sort())
    for (const value of values) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(1)
    }
    expect(scalePopularity(3, 15)).toBeCloseTo(0.5, 12)
  })

  it('is 0 when there is nothing at all', () => {
    expect(scalePopularity(0, 0)).toBe(0)
    expect(scalePopularity(-1, 5)).toBe(0)
  })
})

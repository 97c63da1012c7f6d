import { describe, expect, it } from 'vitest'
import { RHYTHM_CONFIDENCE } from '../../src/analysis/rhythm-confidence.ts'
import { calibratedShare, logistic } from '../../src/analysis/statistics.ts'

describe('calibrated', () => {
  it('joins the points by straight lines and holds the ends', () => {
    const table = [
      [0, 0.2],
      [0.5, 0.4],
      [1, 0.9],
    ] as const
    expect([-1, 0, 0.25, 0.5, 0.75, 1, 2].map((raw) => calibratedShare(raw, table))).toEqual([
      0.2, 0.2, 0.30000000000000004, 0.4, 0.65, 0.9, 0.9,
    ])
  })
})

describe('logistic', () => {
  it('is the probability of these odds', () => {
    expect(logistic(Math.log(3))).toBeCloseTo(0.75, 12)
    expect(logistic(2, [Math.log(3), 0])).toBeCloseTo(0.75, 12)
    expect(logistic(0.5, [-1, 2])).toBe(0.5)
  })

  it.each(Object.entries(RHYTHM_CONFIDENCE))('rises for %s', (_, [, slope]) => {
    expect(slope).toBeGreaterThan(0)
  })
})

import { describe, expect, it } from 'vitest'
import { calibratedShare } from '../../src/analysis/statistics.ts'
import { calibrationTable } from '../programs/trainers/isotonic.ts'
import { seeded } from '../support/music.ts'

describe('calibrationTable', () => {
  it('says what raw certainties are worth', () => {
    const random = seeded(11)
    // Of cases with certainty x, a share of x² is right.
    const cases = Array.from({ length: 4_000 }, () => {
      const raw = random()
      return { raw, right: random() < raw ** 2 ? 1 : 0, share: 1 }
    })
    const table = calibrationTable(cases, { first: [0, 0] })
    for (const raw of [0.2, 0.4, 0.6, 0.8])
      expect(Math.abs(calibratedShare(raw, table) - raw ** 2)).toBeLessThan(0.06)
  })

  it('rises, even where more certainty was less often right', () => {
    const cases = [0.9, 0.2, 0.8, 0.1, 0.6, 0.7].map((right, i) => ({
      raw: i / 6,
      right,
      share: 1,
    }))
    const table = calibrationTable(cases, { first: [-1, 0], last: [2, 0.5] }, 6)
    table.slice(1).forEach(([raw, right], i) => {
      expect(raw).toBeGreaterThan(table[i]![0])
      expect(right).toBeGreaterThanOrEqual(table[i]![1])
    })
  })

  it('counts a case by its share', () => {
    const cases = [
      { raw: 0.5, right: 1, share: 9 },
      { raw: 0.5, right: 0, share: 1 },
    ]
    expect(calibrationTable(cases, { first: [0, 0] }, 1).at(-1)).toEqual([0.5, 0.9])
  })
})

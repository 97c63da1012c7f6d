import { describe, expect, it } from 'vitest'
import { RHYTHM_CONFIDENCE } from '../../src/analysis/rhythm-confidence.ts'
import { calibrated } from '../../src/analysis/statistics.ts'

describe('calibrated', () => {
  it('joins the points by straight lines and holds the ends', () => {
    const table = [
      [0, 0.2],
      [0.5, 0.4],
      [1, 0.9],
    ] as const
    expect([-1, 0, 0.25, 0.5, 0.75, 1, 2].map((raw) => calibrated(raw, table))).toEqual([
      0.2, 0.2, 0.30000000000000004, 0.4, 0.65, 0.9, 0.9,
    ])
  })

  it.each(Object.entries(RHYTHM_CONFIDENCE))('has a rising table of %s', (_, table) => {
    table.forEach(([raw, share], i) => {
      expect(share >= 0 && share <= 1).toBe(true)
      if (i > 0) expect(raw > table[i - 1]![0] && share >= table[i - 1]![1]).toBe(true)
    })
  })
})

import { expect, it } from 'vitest'
import { logistic } from '../../src/analysis/statistics.ts'
import { logisticFit } from '../programs/trainers/logistic.ts'

it('finds the function that cases were drawn from, however large their raw values are', () => {
  for (const scale of [1, 100]) {
    const cases = Array.from({ length: 200 }, (_, i) => {
      const raw = scale * (i / 20 - 4)
      return { raw, right: logistic(raw, [0.4, 0.8 / scale]), share: 1 + (i % 3) }
    })
    const [offset, slope] = logisticFit(cases)
    expect(offset).toBeCloseTo(0.4, 3)
    expect(slope * scale).toBeCloseTo(0.8, 1)
  }
})

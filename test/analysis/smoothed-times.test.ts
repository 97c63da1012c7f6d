import { describe, expect, it } from 'vitest'
import { smoothedTimes } from '../../src/analysis/smoothed-times.ts'

const EVEN = Array.from({ length: 12 }, (_, i) => 3 + 0.5 * i)

describe('smoothedTimes', () => {
  it('leaves even times as they are, whatever they weigh', () => {
    const weights = EVEN.map((_, i) => (i % 3 === 0 ? 0.02 : 1))
    smoothedTimes(EVEN, weights, 5).forEach((time, i) => {
      expect(time).toBeCloseTo(EVEN[i]!, 10)
    })
  })

  it('minimises what it says', () => {
    const times = [0, 1.2, 1.9, 3.1, 3.8, 5.3, 6]
    const weights = [1, 0.5, 0.9, 0.05, 1, 0.3, 0.7]
    const smoothing = 0.4
    const cost = (at: readonly number[]): number => {
      let sum = 0
      for (let i = 0; i < at.length; i++) sum += weights[i]! * (at[i]! - times[i]!) ** 2
      for (let i = 0; i + 2 < at.length; i++)
        sum += smoothing * (at[i]! - 2 * at[i + 1]! + at[i + 2]!) ** 2
      return sum
    }
    const best = smoothedTimes(times, weights, smoothing)
    for (let i = 0; i < best.length; i++)
      for (const step of [-1e-3, 1e-3])
        expect(cost(best.map((time, j) => (j === i ? time + step : time)))).toBeGreaterThan(
          cost(best),
        )
  })

  it('moves what weighs little to where the others say', () => {
    const times = EVEN.map((time, i) => (i === 5 || i === 8 ? time + 0.1 : time))
    const weights = EVEN.map((_, i) => (i === 5 ? 0.02 : 1))
    const moved = smoothedTimes(times, weights, 0.3).map((time, i) => time - EVEN[i]!)
    expect(Math.abs(moved[5]!)).toBeLessThan(0.02)
    expect(moved[8]!).toBeGreaterThan(0.03)
  })

  it('takes any number of times', () => {
    expect(smoothedTimes([], [], 1)).toEqual([])
    expect(smoothedTimes([1, 3], [1, 1], 1)).toEqual([1, 3])
  })
})

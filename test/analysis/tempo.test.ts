import { describe, expect, it } from 'vitest'
import { medianOf, tempoOfBeats } from '../../src/analysis/tempo.ts'

describe('tempoOfBeats', () => {
  it('is exact to 0.05 BPM although each beat is off by up to 10 ms', () => {
    for (const bpm of [63.7, 119.3, 174.2]) {
      const beats = Array.from({ length: 90 }, (_, i) => (60 / bpm) * i + 0.01 * Math.sin(i * 12.9))
      expect(Math.abs(tempoOfBeats(beats) - bpm)).toBeLessThan(0.05)
    }
  })

  it('is the median where the tempo moves', () => {
    const beats = [0]
    for (let i = 0; i < 60; i++) beats.push(beats.at(-1)! + 0.4 + i * 0.005)
    expect(tempoOfBeats(beats)).toBeCloseTo(60 / (0.4 + 29.5 * 0.005), 1)
  })

  it('is 0 for too few beats', () => {
    expect(tempoOfBeats([])).toBe(0)
    expect(tempoOfBeats([1, 2])).toBe(0)
  })
})

describe('medianOf', () => {
  it('is the middle, or the mean of the middle two', () => {
    expect(medianOf([3, 1, 2])).toBe(2)
    expect(medianOf([4, 1, 2, 3])).toBe(2.5)
    expect(medianOf([])).toBe(0)
  })
})

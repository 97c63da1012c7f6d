import { describe, expect, it } from 'vitest'
import { medianOf } from '../../src/analysis/statistics.ts'
import { tempoOfBeats, tempoSteadiness } from '../../src/analysis/tempo.ts'

describe('tempoOfBeats', () => {
  it('is exact to 0.05 % although each beat is off by up to 10 ms', () => {
    for (const bpm of [63.7, 119.3, 174.2]) {
      const beats = Array.from({ length: 90 }, (_, i) => (60 / bpm) * i + 0.01 * Math.sin(i * 12.9))
      expect(Math.abs(tempoOfBeats(beats) / bpm - 1)).toBeLessThan(0.0005)
    }
  })

  it('is near the median where the tempo moves, and the prevailing one where it changes', () => {
    const slowing = [0]
    for (let i = 0; i < 60; i++) slowing.push(slowing.at(-1)! + 0.4 + i * 0.005)
    const middle = 60 / (0.4 + 29.5 * 0.005)
    expect(Math.abs(tempoOfBeats(slowing) / middle - 1)).toBeLessThan(0.01)
    const changing = [0]
    for (let i = 0; i < 80; i++) changing.push(changing.at(-1)! + (i < 50 ? 0.5 : 0.44))
    expect(Math.abs(tempoOfBeats(changing) - 120)).toBeLessThan(0.5)
  })

  it('is one of two tempi, never one between them, also where both have as many beats', () => {
    for (const [first, second] of [
      [60, 60],
      [61, 60],
      [50, 60],
      [70, 60],
    ] as const) {
      const beats = [0]
      const lengths = [60 / 126, 60 / 154]
      for (let i = 0; i < first + second; i++)
        beats.push(beats.at(-1)! + lengths[Number(i >= first)]!)
      const tempo = tempoOfBeats(beats)
      expect(Math.min(Math.abs(tempo - 126), Math.abs(tempo - 154))).toBeLessThan(0.5)
      expect(tempoSteadiness(beats, tempo)).toBeLessThan(0.65)
    }
  })

  it('hardly moves when beats do: no single one decides', () => {
    for (let seed = 1; seed < 40; seed++) {
      // Beats that wander by 6 %, each heard up to 5 ms early or late.
      const beats = [0]
      for (let i = 0; i < 70; i++)
        beats.push(beats.at(-1)! + 0.5 * (1 + 0.06 * Math.sin(seed + i / 5)))
      const heard = beats.map((beat, i) => beat + 0.005 * Math.sin(seed * 7.7 + i * i * 12.9))
      expect(Math.abs(tempoOfBeats(heard) / tempoOfBeats(beats) - 1)).toBeLessThan(0.003)
    }
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

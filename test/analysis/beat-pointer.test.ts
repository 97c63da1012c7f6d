import { describe, expect, it } from 'vitest'
import { followBeats } from '../../src/analysis/beat-pointer.ts'

/** Log-odds that speak for beats at the given frames. */
function pulses(frames: number, at: readonly number[]): Float32Array {
  const odds = new Float32Array(frames).fill(-1)
  for (const frame of at) odds[frame] = 3
  return odds
}
const every = (period: number, frames: number, first = 5) =>
  Array.from({ length: Math.ceil((frames - first) / period) }, (_, i) => first + i * period)

describe('followBeats', () => {
  it('finds a steady pulse to the frame', () => {
    const beats = every(50, 3_000)
    expect([...followBeats(pulses(3_000, beats), 28, 130).frames]).toEqual(beats)
  })

  it('bridges gaps', () => {
    const beats = every(50, 3_000)
    const heard = beats.filter((_, i) => i % 7 < 5)
    expect([...followBeats(pulses(3_000, heard), 28, 130).frames]).toEqual(beats)
  })

  it('follows a tempo that moves', () => {
    const beats: number[] = []
    for (let t = 5, period = 60; t < 4_000; t += Math.round(period)) {
      beats.push(t)
      period = Math.max(40, period * 0.995)
    }
    const { frames } = followBeats(pulses(4_000, beats), 28, 130)
    const hit = beats.filter((b) => frames.some((f) => Math.abs(f - b) <= 4)).length
    expect(hit / beats.length).toBeGreaterThan(0.95)
  })

  it('decides long music piece by piece without a seam', () => {
    const beats = every(47, 120_000)
    expect([...followBeats(pulses(120_000, beats), 28, 130).frames]).toEqual(beats)
  })

  it('gains where there is a pulse and loses where there is none', () => {
    expect(followBeats(pulses(2_000, every(50, 2_000)), 28, 130).gain).toBeGreaterThan(0)
    expect(followBeats(pulses(2_000, []), 28, 130).gain).toBeLessThan(0)
  })

  it('takes nothing and next to nothing', () => {
    expect(followBeats(new Float32Array(0), 28, 130).frames.length).toBe(0)
    expect(followBeats(new Float32Array(3), 28, 130).frames.length).toBeLessThan(2)
  })
})

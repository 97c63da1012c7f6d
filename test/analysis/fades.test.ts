import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { song } from '../support/music.ts'

const RATE = 22_050
const SECONDS = 40
const plain = song({ seconds: SECONDS }).samples

/** A song whose gain follows `gainAt`, of seconds. */
function shaped(gainAt: (seconds: number) => number): {
  end_of_fade_in: number
  start_of_fade_out: number
} {
  const samples = plain.map((sample, i) => sample * gainAt(i / RATE))
  return analyze({ samples: [samples], sampleRate: RATE }).track
}

describe('fades', () => {
  it('finds none where there is none', () => {
    const { end_of_fade_in, start_of_fade_out } = shaped(() => 1)
    expect(end_of_fade_in).toBe(0)
    expect(start_of_fade_out).toBe(SECONDS)
  })

  // What sounds 3 dB softer is when a fade begins to be heard.
  it.each([
    ['steady in dB', 10, (t: number) => 10 ** (-2.5 * t)],
    ['straight in amplitude', 8, (t: number) => 1 - t],
    ['curved', 6, (t: number) => (1 - t) ** 2],
  ])('finds a fade-out that is %s', (_, length, curve) => {
    const begin = SECONDS - length
    const { start_of_fade_out } = shaped((t) => (t < begin ? 1 : curve((t - begin) / length)))
    expect(start_of_fade_out).toBeGreaterThan(begin - 1)
    expect(start_of_fade_out).toBeLessThan(begin + 0.35 * length)
  })

  it('finds a fade-in', () => {
    const { end_of_fade_in } = shaped((t) => (t < 8 ? 10 ** (-2.5 * (1 - t / 8)) : 1))
    expect(end_of_fade_in).toBeGreaterThan(6)
    expect(end_of_fade_in).toBeLessThan(9)
  })

  it('tells silence before and after the music', () => {
    const { end_of_fade_in, start_of_fade_out } = shaped((t) => (t > 3 && t < 36 ? 1 : 0))
    expect(Math.abs(end_of_fade_in - 3)).toBeLessThan(0.7)
    expect(Math.abs(start_of_fade_out - 36)).toBeLessThan(0.7)
  })
})

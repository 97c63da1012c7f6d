import { describe, expect, it } from 'vitest'
import { Network } from '../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../src/analysis/activation/network-weights.ts'
import { USUAL_TEMPO, usualTempo } from '../../src/analysis/usual-tempo.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { noveltyOf } from './drum-patterns.ts'

const network = new Network(ACTIVATION.form, ACTIVATION.weights)
const { slowest, fastest } = USUAL_TEMPO

/** The usual tempo of music like a piece of a style. */
function usualOf(style: string, bpm: number): number {
  const { samples } = knownPiece({ bpm, passages: [{ style, seed: 3, bars: 10, key: 0, mode: 1 }] })
  return usualTempo(network.hear(noveltyOf(samples).spectrum).means)
}

describe('the usual tempo', () => {
  it.each([
    ['piano ballad', 60],
    ['hymn', 66],
    ['romantic', 60],
  ])('is slow of what sounds like a %s', (style, bpm) => {
    expect(usualOf(style, bpm)).toBeLessThan(90)
  })

  it.each([
    ['house', 126],
    ['trance', 140],
    ['punk', 176],
  ])('is that of music at large of what sounds like %s', (style, bpm) => {
    expect(usualOf(style, bpm)).toBe(fastest)
  })

  it('is within its bounds, whatever is heard', () => {
    const size = (ACTIVATION.form.levels + 1) * ACTIVATION.form.channels
    for (const level of [0, 1, 100]) {
      const usual = usualTempo(new Float64Array(size).fill(level))
      expect(usual).toBeGreaterThanOrEqual(slowest)
      expect(usual).toBeLessThanOrEqual(fastest)
    }
  })
})

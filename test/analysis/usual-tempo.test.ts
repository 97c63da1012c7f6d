import { describe, expect, it } from 'vitest'
import { Network } from '../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../src/analysis/activation/network-weights.ts'
import type { RhythmSpectrum } from '../../src/analysis/novelty.ts'
import { trackRhythm } from '../../src/analysis/rhythm.ts'
import { TEMPO_HEAD } from '../../src/analysis/tempo-head.ts'
import { USUAL_TEMPO, usualTempo } from '../../src/analysis/usual-tempo.ts'
import { fromBase64 } from '../../src/base64.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { NO_HARMONY, noveltyOf } from './drum-patterns.ts'

const network = new Network(ACTIVATION.form, ACTIVATION.weights)
const { slowest, fastest } = USUAL_TEMPO

/** What the network hears of a piece of a style. */
function heard(style: string, bpm: number, seed = 3): RhythmSpectrum {
  const { samples } = knownPiece({ bpm, passages: [{ style, seed, bars: 10, key: 0, mode: 1 }] })
  return noveltyOf(samples).spectrum
}

function usualOf(style: string, bpm: number): number {
  return usualTempo(network.hear(heard(style, bpm)).means)
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

  // All of these are counted at 2 or 3 times their tempo where 110 BPM is usual of all music.
  it.each([
    ['piano ballad', 70, 1],
    ['rim ballad', 78, 2],
    ['hymn', 62, 2],
    ['romantic', 70, 4],
    ['twelve-eight', 62, 4],
  ])('makes a %s of %i BPM be found at its tempo', (style, bpm, seed) => {
    const spectrum = heard(style, bpm, seed)
    const { tempo } = trackRhythm({ spectrum, chroma: NO_HARMONY }, spectrum.frames / spectrum.fps)
    expect(Math.abs(tempo / bpm - 1)).toBeLessThan(0.04)
  })

  it('is within its bounds, whatever is heard', () => {
    const size = (ACTIVATION.form.levels + 1) * ACTIVATION.form.channels
    expect(fromBase64(TEMPO_HEAD.weights)).toHaveLength(4 * size)
    for (const level of [0, 1, 100]) {
      const usual = usualTempo(new Float64Array(size).fill(level))
      expect(usual).toBeGreaterThanOrEqual(slowest)
      expect(usual).toBeLessThanOrEqual(fastest)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { BAND_LEVELS, LEVEL_BANDS, LevelFront, type Levels } from '../../src/analysis/levels.ts'
import { LoudnessMeter } from '../../src/analysis/loudness.ts'
import { windowOf } from '../../src/analysis/meyda.ts'
import { SPECTRA } from '../../src/analysis/spectra.ts'
import { type SpectrumListener, SpectrumStream } from '../../src/audio/spectra/spectrum-stream.ts'
import { seeded } from '../support/music.ts'

const RATE = SPECTRA.sampleRate

function levelsOf(samples: Float32Array): Levels {
  const window = windowOf('hanning', SPECTRA.size)
  const front = new LevelFront()
  const take: SpectrumListener = (_, [powers]) => front.push(powers!)
  const stream = new SpectrumStream(window, SPECTRA.hop, take, [LEVEL_BANDS])
  stream.push(samples)
  stream.finish()
  return front.finish()
}

function bandsAt(levels: Levels, frame: number): Float64Array {
  const bands = new Float64Array(BAND_LEVELS.bands)
  levels.readBands(frame, bands)
  return bands
}

describe('LevelFront', () => {
  const random = seeded(8)
  const noise = Float32Array.from({ length: 50 * RATE }, () => 0.2 * (random() - 0.5))

  it.each([60, 200, 1_000, 5_000])('reads a sine of %i Hz as the loudness meter does', (hz) => {
    const sine = Float32Array.from(
      { length: 2 * RATE },
      (_, i) => 0.1 * Math.sin((2 * Math.PI * hz * i) / RATE),
    )
    const meter = new LoudnessMeter(RATE, 1)
    meter.push([sine])
    expect(Math.abs(levelsOf(sine).loudness[100]! - meter.finish()!.integrated)).toBeLessThan(0.3)
  })

  it('keeps every frame, over its pages', () => {
    const levels = levelsOf(noise)
    expect(levels.frames).toBe(Math.ceil(noise.length / SPECTRA.hop))
    expect(levels.frames).toBeGreaterThan(4_096)
    for (const frame of [0, 4_095, 4_096, levels.frames - 1])
      for (const level of bandsAt(levels, frame)) expect(level).toBeGreaterThan(-90)
  })

  it('moves all bands by a gain, to 0.01 dB', () => {
    const softer = levelsOf(noise.map((x) => 0.5 * x))
    const levels = levelsOf(noise)
    for (const frame of [10, 1_000, 3_000])
      bandsAt(levels, frame).forEach((level, band) => {
        expect(level - bandsAt(softer, frame)[band]!).toBeCloseTo(6.02, 1)
      })
  })

  it('has its floor in silence and does not hear a constant', () => {
    expect([...bandsAt(levelsOf(new Float32Array(RATE)), 50)]).toEqual(
      new Array(BAND_LEVELS.bands).fill(BAND_LEVELS.floor),
    )
    expect(levelsOf(new Float32Array(RATE).fill(0.5)).loudness[50]!).toBeLessThan(-60)
  })
})

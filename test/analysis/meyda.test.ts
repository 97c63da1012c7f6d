import meyda from 'meyda'
import { describe, expect, it } from 'vitest'
import { banks, barkLimits, windowOf } from '../../src/analysis/meyda.ts'
import { Spectrum } from '../../src/analysis/spectra.ts'
import { seeded } from '../support/music.ts'

const SIZE = 1_024
const RATE = 22_050

function noise(): Float32Array {
  const random = seeded(3)
  return Float32Array.from({ length: SIZE }, () => random() - 0.5)
}

describe('what is taken from Meyda', () => {
  it('has windows under which our spectra are Meyda’s', () => {
    const signal = noise()
    Object.assign(meyda, { bufferSize: SIZE, sampleRate: RATE, windowingFunction: 'hanning' })
    const theirs = meyda.extract('amplitudeSpectrum', signal) as unknown as Float32Array
    const ours = new Spectrum(windowOf('hanning', SIZE)).of(signal, 0)
    for (let bin = 0; bin < SIZE / 2; bin++) expect(ours[bin]).toBeCloseTo(theirs[bin]!, 3)
  })

  it('has Bark bands that give the specific loudness of Meyda’s extractor', () => {
    const signal = noise()
    Object.assign(meyda, { bufferSize: SIZE, sampleRate: RATE, windowingFunction: 'hanning' })
    const { specific } = meyda.extract('loudness', signal) as unknown as { specific: Float32Array }
    const magnitudes = new Spectrum(windowOf('hanning', SIZE)).of(signal, 0)
    const limits = barkLimits(RATE, SIZE)
    // The first band differs: ours begins above the constant offset.
    for (let band = 1; band < 24; band++) {
      let sum = 0
      for (let bin = limits[band]!; bin < limits[band + 1]!; bin++) sum += magnitudes[bin]!
      expect(sum ** 0.23).toBeCloseTo(specific[band]!, 3)
    }
  })

  it('makes banks for each rate and size, which Meyda alone does not', () => {
    for (const [rate, size] of [
      [22_050, 1_024],
      [11_025, 2_048],
      [44_100, 1_024],
    ] as const) {
      const { mel, chroma, bark } = banks(rate, size)
      expect(bark.length).toBe(size)
      expect(mel.every((row) => row.length === size / 2 + 1)).toBe(true)
      expect(chroma.map((row) => row.length)).toEqual(new Array(12).fill(size / 2 + 1))
      expect(mel.flatMap((row) => [...row]).every(Number.isFinite)).toBe(true)
    }
    expect(banks(22_050, 1_024).bark[100]).not.toBe(banks(44_100, 1_024).bark[100])
  })

  it('leaves Meyda’s own settings as they were', () => {
    Object.assign(meyda, { bufferSize: 256, sampleRate: 8_000, windowingFunction: 'sine' })
    banks(16_000, 512)
    expect(meyda).toMatchObject({ bufferSize: 256, sampleRate: 8_000, windowingFunction: 'sine' })
  })
})

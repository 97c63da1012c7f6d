import meyda from 'meyda'
import { describe, expect, it } from 'vitest'
import { barkLimits, windowOf } from '../../src/analysis/meyda.ts'
import { SpectrumStream } from '../../src/audio/spectra/spectrum-stream.ts'
import { seeded } from '../support/music.ts'

const SIZE = 1_024
const RATE = 22_050

function noise(): Float32Array {
  const random = seeded(3)
  return Float32Array.from({ length: SIZE }, () => random() - 0.5)
}

/** The second frame is the signal, of a frame's length. */
function spectrumOf(signal: Float32Array): Float32Array {
  const frames: Float32Array[] = []
  const take = (magnitudes: Float32Array) => frames.push(magnitudes.slice())
  const stream = new SpectrumStream(windowOf('hanning', SIZE), SIZE / 2, take)
  stream.push(signal)
  stream.finish()
  return frames[1]!
}

describe('what is taken from Meyda', () => {
  it('has windows under which our spectra are Meyda’s', () => {
    const signal = noise()
    Object.assign(meyda, { bufferSize: SIZE, sampleRate: RATE, windowingFunction: 'hanning' })
    const theirs = meyda.extract('amplitudeSpectrum', signal) as unknown as Float32Array
    const ours = spectrumOf(signal)
    for (let bin = 0; bin < SIZE / 2; bin++) expect(ours[bin]).toBeCloseTo(theirs[bin]!, 3)
  })

  it('has Bark bands that give the specific loudness of Meyda’s extractor', () => {
    const signal = noise()
    Object.assign(meyda, { bufferSize: SIZE, sampleRate: RATE, windowingFunction: 'hanning' })
    const { specific } = meyda.extract('loudness', signal) as unknown as { specific: Float32Array }
    const magnitudes = spectrumOf(signal)
    const limits = barkLimits(RATE, SIZE, 24)
    // The first band differs: ours begins above the constant offset.
    for (let band = 1; band < 24; band++) {
      let sum = 0
      for (let bin = limits[band]!; bin < limits[band + 1]!; bin++) sum += magnitudes[bin]!
      expect(sum ** 0.23).toBeCloseTo(specific[band]!, 3)
    }
  })
})

import { MONO_RATE } from '../audio/mono-stream.ts'
import type { BandSums } from '../audio/spectra/spectrum-stream.ts'

/** Hz: of all features but loudness, and of the published format. */
export const ANALYSIS_RATE = MONO_RATE

/** Size and spacing of the front end's magnitude spectra, in samples. */
export const SPECTRA = Object.freeze({
  sampleRate: 22_050,
  size: 1_024,
  hop: 220,
})

/** Frames per second of every novelty curve. */
export const FRAME_RATE = SPECTRA.sampleRate / SPECTRA.hop

/**
 * Overlapping triangles on a logarithmic axis; where centres fall on the same bin, one band is kept
 * (SuperFlux, Böck & Widmer, DAFx 2013).
 */
export function logBands(layout: {
  sampleRate: number
  size: number
  bandsPerOctave: number
  lowest: number
  highest: number
}): BandSums {
  const binWidth = layout.sampleRate / layout.size
  const corners: number[] = []
  for (let step = 0; ; step++) {
    const frequency = layout.lowest * 2 ** (step / layout.bandsPerOctave)
    if (frequency > layout.highest) break
    const bin = Math.round(frequency / binWidth)
    if (corners.at(-1) !== bin) corners.push(bin)
  }
  const count = corners.length - 2
  const bands = new Uint32Array(2 * count)
  const weights: number[] = []
  for (let band = 0; band < count; band++) {
    const [left, centre, right] = [corners[band]!, corners[band + 1]!, corners[band + 2]!]
    bands.set([left + 1, right - left - 1], 2 * band)
    for (let bin = left + 1; bin < right; bin++)
      weights.push(
        Math.fround(
          bin <= centre ? (bin - left) / (centre - left) : (right - bin) / (right - centre),
        ),
      )
  }
  return { squared: false, bands, weights: Float64Array.from(weights) }
}

import { MONO_RATE } from '../audio/mono-stream.ts'

/** Hz. The sample rate of all features but loudness, and of the published format. */
export const ANALYSIS_RATE = MONO_RATE

/** Size and spacing of the front end's magnitude spectra, in samples. */
export const SPECTRA = Object.freeze({
  sampleRate: 22_050,
  size: 1_024,
  hop: 220,
})

/** Frames per second of every novelty curve. */
export const FRAME_RATE = SPECTRA.sampleRate / SPECTRA.hop

/** Triangular bands on a logarithmic frequency axis, as one flat weighting of spectrum bins. */
export interface LogBands {
  count: number
  /** Adds up a magnitude spectrum's bins into `out[at…at+count)`. */
  apply(magnitudes: Float32Array, out: Float32Array, at: number): void
}

/**
 * Lays out overlapping triangles whose corners are neighbouring centre bins. Where centres fall
 * on the same bin, as they do in the bass, one band is kept (the layout of SuperFlux, Böck &
 * Widmer, DAFx 2013). Triangles keep height 1, so a wide treble band weighs what it holds.
 */
export function logBands(layout: {
  sampleRate: number
  size: number
  bandsPerOctave: number
  lowest: number
  highest: number
}): LogBands {
  const binWidth = layout.sampleRate / layout.size
  const corners: number[] = []
  for (let step = 0; ; step++) {
    const frequency = layout.lowest * 2 ** (step / layout.bandsPerOctave)
    if (frequency > layout.highest) break
    const bin = Math.round(frequency / binWidth)
    if (corners.at(-1) !== bin) corners.push(bin)
  }
  const count = corners.length - 2
  const first = new Int32Array(count)
  const from = new Int32Array(count + 1)
  const weights: number[] = []
  for (let band = 0; band < count; band++) {
    const [left, centre, right] = [corners[band]!, corners[band + 1]!, corners[band + 2]!]
    first[band] = left + 1
    for (let bin = left + 1; bin < right; bin++)
      weights.push(
        bin <= centre ? (bin - left) / (centre - left) : (right - bin) / (right - centre),
      )
    from[band + 1] = weights.length
  }
  const flat = Float32Array.from(weights)
  return {
    count,
    apply(magnitudes, out, at) {
      for (let band = 0; band < count; band++) {
        let sum = 0
        let bin = first[band]!
        for (let w = from[band]!, end = from[band + 1]!; w < end; w++)
          sum += flat[w]! * magnitudes[bin++]!
        out[at + band] = sum
      }
    },
  }
}

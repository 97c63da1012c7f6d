import { movingMean } from './statistics.ts'

const SALIENCE = {
  /** Deviation of the Gaussian over the curve, in frames. */
  smoothing: 1.5,
  /** Seconds on either side over which the mean is taken, and the RMS. */
  meanReach: 0.4,
  deviationReach: 6,
  /** Share of the whole track's RMS that is added to that of the surroundings. */
  overallShare: 0.2,
}

/** How many standard deviations each frame's novelty stands above its surroundings, 0 and up. */
export type Salience = Float32Array

/**
 * Makes a novelty curve comparable across a track: smooths it, subtracts its mean over ±0.4 s, sets
 * negative values to 0, and divides by its own RMS over ±6 s (plus a fifth of the whole track's, so
 * that near-silence is not amplified).
 */
export function salience(curve: Float32Array, fps: number): Salience {
  const smooth = smoothed(curve, SALIENCE.smoothing)
  const level = movingMean(smooth, Math.round(SALIENCE.meanReach * fps))
  const rise = new Float32Array(curve.length)
  const square = new Float32Array(curve.length)
  let sum = 0
  for (let i = 0; i < rise.length; i++) {
    rise[i] = Math.max(0, smooth[i]! - level[i]!)
    square[i] = rise[i]! ** 2
    sum += square[i]!
  }
  const overall = Math.sqrt(sum / (rise.length || 1))
  const power = movingMean(square, Math.round(SALIENCE.deviationReach * fps))
  for (let i = 0; i < rise.length; i++)
    rise[i] = rise[i]! / (Math.sqrt(power[i]!) + SALIENCE.overallShare * overall + 1e-9)
  return rise
}

/** The highest value of a curve from frame `first` to `last`; 0 at least. */
export function highestBetween(curve: Float32Array, first: number, last: number): number {
  const end = Math.min(curve.length - 1, last)
  let best = 0
  for (let f = Math.max(0, first); f <= end; f++) if (curve[f]! > best) best = curve[f]!
  return best
}

/** Convolution with a Gaussian of `sigma` frames. */
function smoothed(values: Float32Array, sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma)
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-0.5 * ((i - reach) / sigma) ** 2),
  )
  const total = kernel.reduce((sum, weight) => sum + weight, 0)
  const out = new Float32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    let sum = 0
    for (let k = Math.max(0, reach - i); k < kernel.length; k++)
      sum += kernel[k]! * (values[i + k - reach] ?? 0)
    out[i] = sum / total
  }
  return out
}

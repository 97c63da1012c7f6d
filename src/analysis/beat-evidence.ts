import { EVIDENCE } from './rhythm-constants.ts'

/** How many standard deviations each frame's novelty stands above its surroundings, 0 and up. */
export type Salience = Float32Array

/**
 * Makes a novelty curve comparable across a track: smooths it, takes away its mean over ±0.4 s,
 * keeps what is positive, and divides by its own RMS over ±6 s (with a fifth of the whole
 * track's, so that near-silence is not amplified).
 */
export function salience(curve: Float32Array, fps: number): Salience {
  const smooth = smoothed(curve, EVIDENCE.smoothing)
  const level = movingMean(smooth, Math.round(EVIDENCE.meanReach * fps))
  const rise = new Float32Array(curve.length)
  const square = new Float32Array(curve.length)
  let sum = 0
  for (let i = 0; i < rise.length; i++) {
    rise[i] = Math.max(0, smooth[i]! - level[i]!)
    square[i] = rise[i]! ** 2
    sum += square[i]!
  }
  const overall = Math.sqrt(sum / (rise.length || 1))
  const power = movingMean(square, Math.round(EVIDENCE.deviationReach * fps))
  for (let i = 0; i < rise.length; i++)
    rise[i] = rise[i]! / (Math.sqrt(power[i]!) + EVIDENCE.overallShare * overall + 1e-9)
  return rise
}

/** Weighted sum of curves, each first brought to mean 1. */
export function blend(parts: readonly { curve: Float32Array; weight: number }[]): Float32Array {
  const out = new Float32Array(parts[0]?.curve.length ?? 0)
  for (const { curve, weight } of parts) {
    let sum = 0
    for (const value of curve) sum += value
    if (weight === 0 || sum === 0) continue
    const factor = (weight * curve.length) / sum
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + factor * curve[i]!
  }
  return out
}

/** Log-odds of a beat for the pointer model, from salience. */
export function beatOdds(from: Salience): Float32Array {
  const odds = new Float32Array(from.length)
  const others = 1 / EVIDENCE.beatZone - 1
  for (let i = 0; i < odds.length; i++) {
    const p = Math.min(EVIDENCE.most, EVIDENCE.least + EVIDENCE.slope * from[i]!)
    odds[i] = Math.log((p * others) / (1 - p))
  }
  return odds
}

/** Mean over `reach` frames on either side, in one pass; shorter at the ends. */
export function movingMean(values: Float32Array, reach: number): Float32Array {
  const means = new Float32Array(values.length)
  let sum = 0
  let from = 0
  let to = 0
  for (let i = 0; i < values.length; i++) {
    while (to < Math.min(values.length, i + reach + 1)) sum += values[to++]!
    while (from < i - reach) sum -= values[from++]!
    means[i] = Math.max(0, sum) / (to - from)
  }
  return means
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

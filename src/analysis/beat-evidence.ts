import { BEAT_ZONE } from './beat-pointer.ts'
import { BANDS, type Novelty } from './novelty.ts'
import { movingMean, standardise } from './statistics.ts'

const EVIDENCE = {
  /** Deviation of the Gaussian over the curve, in frames. */
  smoothing: 1.5,
  meanReach: 0.4,
  deviationReach: 6,
  overallShare: 0.2,
  /** Probability of a beat at no salience, its rise per unit, and its ceiling. */
  least: 0.02,
  slope: 0.15,
  most: 0.95,
}

/** How many standard deviations each frame's novelty stands above its surroundings, 0 and up. */
export type Salience = Float32Array

/**
 * Makes a novelty curve comparable across a track: smooths it, subtracts its mean over ±0.4 s, sets
 * negative values to 0, and divides by its own RMS over ±6 s (plus a fifth of the whole track's, so
 * that near-silence is not amplified).
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

/** Weighted sum of the bands' curves, each first brought to mean 1. */
export function blend(
  novelty: Novelty,
  weights: Readonly<Record<(typeof BANDS)[number], number>>,
): Float32Array {
  const out = new Float32Array(novelty.frames)
  for (const band of BANDS) {
    const curve = novelty[band]
    const weight = weights[band]
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
  const others = 1 / BEAT_ZONE - 1
  for (let i = 0; i < odds.length; i++) {
    const p = Math.min(EVIDENCE.most, EVIDENCE.least + EVIDENCE.slope * from[i]!)
    odds[i] = Math.log((p * others) / (1 - p))
  }
  return odds
}

/** The highest value of a curve within `reach` frames of `centre`; 0 at least. */
export function highestNear(curve: Float32Array, centre: number, reach: number): number {
  return highestBetween(curve, Math.ceil(centre - reach), Math.floor(centre + reach))
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

/** What beats are described by: made once a track, looked up for each candidate. */
export interface RhythmMaterial {
  fps: number
  frames: number
  /** Salience in each band. */
  curves: Readonly<Record<(typeof BANDS)[number], Float32Array>>
  harmony: HarmonyChanges
}

export function rhythmMaterial(novelty: Novelty): RhythmMaterial {
  const { fps, frames, low, mid, high } = novelty
  return {
    fps,
    frames,
    curves: { low: salience(low, fps), mid: salience(mid, fps), high: salience(high, fps) },
    harmony: new HarmonyChanges(novelty),
  }
}

/** How much the harmony differs between two neighbouring stretches of a track. */
class HarmonyChanges {
  /** Running sums of the pitch classes, (spans + 1) × 12. */
  readonly #sums: Float64Array
  readonly #framesPerSpan: number

  constructor({ harmony, harmonyFrames }: Novelty) {
    this.#framesPerSpan = harmonyFrames
    this.#sums = new Float64Array(harmony.length + 12)
    for (let i = 0; i < harmony.length; i++) this.#sums[i + 12] = this.#sums[i]! + harmony[i]!
  }

  /** One minus the cosine of the mean harmonies in [from, middle) and [middle, to), in frames. */
  between(from: number, middle: number, to: number): number {
    const sums = this.#sums
    const [a, b, c] = [this.#index(from), this.#index(middle), this.#index(to)]
    let product = 0
    let before = 0
    let after = 0
    for (let pitch = 0; pitch < 12; pitch++) {
      const x = sums[b + pitch]! - sums[a + pitch]!
      const y = sums[c + pitch]! - sums[b + pitch]!
      product += x * y
      before += x * x
      after += y * y
    }
    return before > 0 && after > 0 ? Math.max(0, 1 - product / Math.sqrt(before * after)) : 0
  }

  #index(frame: number): number {
    const last = this.#sums.length / 12 - 1
    return Math.min(last, Math.max(0, Math.round(frame / this.#framesPerSpan))) * 12
  }
}

/** Beats on either side over which harmony is compared. */
const SPANS = [1, 2, 4]
/** Seconds around a beat in which an onset belongs to it. */
const TOLERANCE = 0.04

/** What makes each beat stand out. */
export interface Accents {
  /** What the columns of `values` measure. */
  kinds: readonly string[]
  /** Beats × kinds, row-major, each kind with mean 0 and deviation 1. */
  values: Float64Array
  /** Log ratio of the novelty a third and two thirds into the beats to that half-way. */
  ternary: number
}

/**
 * Measures the accents of each beat: onsets of each band on the beat and half-way to the next, and
 * how far the harmony changes there, over one, two and four beats on either side.
 *
 * @param at  beat times in frames of the novelty, and the end of the last beat
 */
export function accentsOfBeats(at: Float64Array, material: RhythmMaterial): Accents {
  const beats = at.length - 1
  const reach = TOLERANCE * material.fps
  const atBeat = (b: number) => at[Math.min(beats, Math.max(0, b))]!
  const rows: number[] = []
  let thirds = 0
  let halves = 0
  for (let b = 0; b < beats; b++) {
    const start = at[b]!
    const length = at[b + 1]! - start
    const near = (share: number) =>
      BANDS.map((band) =>
        Math.sqrt(highestNear(material.curves[band], start + share * length, reach)),
      )
    const half = near(1 / 2)
    const [third, twoThirds] = [near(1 / 3), near(2 / 3)]
    half.forEach((value, c) => {
      halves += value
      thirds += (third[c]! + twoThirds[c]!) / 2
    })
    rows.push(...near(0), ...half)
    for (const span of SPANS)
      rows.push(material.harmony.between(atBeat(b - span), start, atBeat(b + span)))
  }
  const kinds = [
    ...BANDS,
    ...BANDS.map((band) => `${band}Half`),
    ...SPANS.map((span) => `harmony${span}`),
  ]
  const values = Float64Array.from(rows)
  standardise(values, kinds.length, 1e-9)
  const few = 0.1 * beats + 1e-9
  return { kinds, values, ternary: Math.log((thirds + few) / (halves + few)) }
}

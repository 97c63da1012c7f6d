import { salience } from './beat-evidence.ts'
import { HarmonyChanges } from './harmony.ts'
import type { Interval } from './intervals.ts'
import type { Novelty } from './onsets.ts'
import { ACCENTS } from './rhythm-constants.ts'

/** What makes each beat stand out: beats × kinds, row-major, each kind with mean 0 and sd 1. */
export interface Accents {
  kinds: number
  values: Float64Array
  /** Log ratio of the novelty a third and two thirds into the beats to that half-way. */
  ternary: number
}

/**
 * Measures the accents of each beat: onsets in bass, middle and treble on the beat and half-way
 * to the next, and how far the harmony changes there, over one, two and four beats on either side.
 */
export function accentsOfBeats(beats: readonly Interval[], novelty: Novelty): Accents {
  const kinds = ACCENT_KINDS
  const values = new Float64Array(beats.length * kinds)
  const { fps, frames } = novelty
  const curves = [novelty.low, novelty.mid, novelty.high].map((curve) => salience(curve, fps))
  const harmony = new HarmonyChanges(novelty)
  const reach = Math.round(ACCENTS.tolerance * fps)
  const highest = (curve: Float32Array, seconds: number): number => {
    const centre = Math.round((seconds + ACCENTS.lateness) * fps)
    let best = 0
    for (let f = Math.max(0, centre - reach); f <= Math.min(frames - 1, centre + reach); f++)
      if (curve[f]! > best) best = curve[f]!
    return Math.sqrt(best)
  }
  const startOf = (b: number) => {
    const last = beats.at(-1)!
    return b < beats.length ? beats[Math.max(0, b)]!.start : last.start + last.duration
  }
  let thirds = 0
  let halves = 0
  beats.forEach((beat, b) => {
    const row = b * kinds
    curves.forEach((curve, c) => {
      values[row + c] = highest(curve, beat.start)
      values[row + 3 + c] = highest(curve, beat.start + beat.duration / 2)
    })
    for (const curve of curves) {
      thirds += highest(curve, beat.start + beat.duration / 3) / 2
      thirds += highest(curve, beat.start + (beat.duration * 2) / 3) / 2
      halves += highest(curve, beat.start + beat.duration / 2)
    }
    ACCENTS.spans.forEach((span, s) => {
      values[row + 6 + s] = harmony.between(
        startOf(b - span) * fps,
        beat.start * fps,
        startOf(b + span) * fps,
      )
    })
  })
  standardise(values, kinds)
  const few = 0.1 * beats.length + 1e-9
  return { kinds, values, ternary: Math.log((thirds + few) / (halves + few)) }
}

const ACCENT_KINDS = 6 + ACCENTS.spans.length

/** Brings each column to mean 0 and standard deviation 1; a constant column to 0. */
function standardise(values: Float64Array, columns: number): void {
  const rows = values.length / columns
  for (let c = 0; c < columns; c++) {
    let sum = 0
    let square = 0
    for (let i = c; i < values.length; i += columns) {
      sum += values[i]!
      square += values[i]! ** 2
    }
    const mean = sum / rows
    const deviation = Math.sqrt(Math.max(0, square / rows - mean ** 2))
    for (let i = c; i < values.length; i += columns)
      values[i] = deviation > 1e-6 ? (values[i]! - mean) / deviation : 0
  }
}

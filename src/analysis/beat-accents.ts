import { ACCENTS } from './rhythm-constants.ts'
import { highestNear, type RhythmMaterial } from './rhythm-material.ts'

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
 *
 * @param at  beat times in frames of the novelty, and the end of the last beat
 */
export function accentsOfBeats(at: Float64Array, material: RhythmMaterial): Accents {
  const kinds = ACCENT_KINDS
  const beats = at.length - 1
  const values = new Float64Array(beats * kinds)
  const reach = ACCENTS.tolerance * material.fps
  const atBeat = (b: number) => at[Math.min(beats, Math.max(0, b))]!
  let thirds = 0
  let halves = 0
  for (let b = 0; b < beats; b++) {
    const row = b * kinds
    const start = at[b]!
    const length = at[b + 1]! - start
    material.curves.forEach((curve, c) => {
      const near = (share: number) => Math.sqrt(highestNear(curve, start + share * length, reach))
      const half = near(1 / 2)
      values[row + c] = near(0)
      values[row + 3 + c] = half
      halves += half
      thirds += (near(1 / 3) + near(2 / 3)) / 2
    })
    ACCENTS.spans.forEach((span, s) => {
      values[row + 6 + s] = material.harmony.between(atBeat(b - span), start, atBeat(b + span))
    })
  }
  standardise(values, kinds)
  const few = 0.1 * beats + 1e-9
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

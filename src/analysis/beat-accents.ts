import { highestNear } from './beat-evidence.ts'
import { BANDS } from './novelty.ts'
import type { RhythmMaterial } from './rhythm-material.ts'
import { standardise } from './standardise.ts'

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

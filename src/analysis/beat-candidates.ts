import { beatOdds, blend, salience } from './beat-evidence.ts'
import { followBeats } from './beat-pointer.ts'
import type { Novelty } from './novelty.ts'

/** Weights of the novelty curves, each first brought to mean 1. */
const WEIGHTINGS = {
  even: { low: 1, mid: 1, high: 1 },
  bass: { low: 3, mid: 0.6, high: 0.4 },
  treble: { low: 0, mid: 0, high: 1 },
}
type Weighting = keyof typeof WEIGHTINGS

/** Searches for the beat: which weighting they look at, and the slowest tempo, BPM. */
const SEARCHES = {
  even: { weighting: 'even', slowest: 45 },
  evenFast: { weighting: 'even', slowest: 105 },
  bass: { weighting: 'bass', slowest: 45 },
  treble: { weighting: 'treble', slowest: 45 },
} as const
const FASTEST = 220

/**
 * The path itself, then its metrical relatives: cut each beat in `cut` parts and keep every `keep`-th
 * point, beginning with `from`.
 */
const RELATIONS = [
  { cut: 1, keep: 1, from: 0 },
  { cut: 2, keep: 2, from: 1 },
  { cut: 2, keep: 1, from: 0 },
  { cut: 1, keep: 2, from: 0 },
  { cut: 1, keep: 2, from: 1 },
  { cut: 3, keep: 1, from: 0 },
  { cut: 1, keep: 3, from: 0 },
  { cut: 1, keep: 3, from: 1 },
  { cut: 1, keep: 3, from: 2 },
  { cut: 2, keep: 3, from: 0 },
  { cut: 2, keep: 3, from: 1 },
  { cut: 2, keep: 3, from: 2 },
  { cut: 3, keep: 2, from: 0 },
  { cut: 3, keep: 2, from: 1 },
]

/** Mean tempi between which a candidate must lie, BPM. */
const TEMPI = { slowest: 44, fastest: 225 }

/** A sequence of beat times that may be the beat. */
export interface Candidate {
  /** Times in frames, fractional, rising. */
  at: Float64Array
  search: keyof typeof SEARCHES
  /** Whether it is the path that the search found, not a relative of it. */
  found: boolean
}

/** Log-odds of a beat in each frame, by a weighting of the novelty. */
export interface WeightedOdds {
  weighting: Weighting
  curve: Float32Array
}

/**
 * Everything that may be the beat: what the beat pointer finds in differently weighted novelty, and
 * the metrical relatives of each find (off-beats, double and half time, thirds).
 *
 * No one weighting finds the beat in all music: bass alone is right for pop and folk, treble for
 * latin and swing. The best candidate has a mean of F and CMLt of 0.967 on the development clips,
 * where the best single search reaches 0.725.
 *
 * A search that explains the novelty no better than no beats would finds nothing: silence, a held
 * tone and a single click have no candidates.
 */
export function beatCandidates(novelty: Novelty): {
  candidates: Candidate[]
  odds: WeightedOdds[]
} {
  const { fps } = novelty
  const odds = namesOf(WEIGHTINGS).map((weighting) => ({
    weighting,
    curve: beatOdds(salience(blend(novelty, WEIGHTINGS[weighting]), fps)),
  }))
  const candidates = namesOf(SEARCHES).flatMap((search): Candidate[] => {
    const { weighting, slowest } = SEARCHES[search]
    const { frames, gain } = followBeats(
      odds.find((one) => one.weighting === weighting)!.curve,
      Math.round((60 * fps) / FASTEST),
      Math.round((60 * fps) / slowest),
    )
    if (gain <= 0) return []
    return RELATIONS.flatMap((relation, i) => {
      const at = relative(frames, relation)
      const bpm = (60 * fps * (at.length - 1)) / (at.at(-1)! - at[0]!)
      const usable = at.length >= 3 && bpm >= TEMPI.slowest && bpm <= TEMPI.fastest
      return usable ? [{ at, search, found: i === 0 }] : []
    })
  })
  return { candidates, odds }
}

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

function relative(
  beats: Int32Array,
  { cut, keep, from }: (typeof RELATIONS)[number],
): Float64Array {
  const kept: number[] = []
  for (let point = from; point <= (beats.length - 1) * cut; point += keep) {
    const beat = Math.floor(point / cut)
    const share = (point % cut) / cut
    const start = beats[beat]!
    kept.push(share === 0 ? start : start + ((beats[beat + 1] ?? start) - start) * share)
  }
  return Float64Array.from(kept)
}

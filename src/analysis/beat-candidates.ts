import { followBeats } from './bar-pointer.ts'
import { beatOdds, blend, salience } from './beat-evidence.ts'
import type { Novelty } from './onsets.ts'
import { CANDIDATES, POINTER } from './rhythm-constants.ts'

/** A sequence of beat times that may be the beat. */
export interface Candidate {
  /** Times in frames, fractional, rising. */
  at: Float64Array
  /** Index into `CANDIDATES.searches` of the pointer path that it comes from. */
  search: number
  /** How it was made from that path; index into `CANDIDATES.relations`. */
  relation: number
}

/**
 * Everything that may be the beat: what the beat pointer finds in differently weighted novelty,
 * and the metrical relatives of each find (off-beats, double and half time, thirds).
 *
 * No one weighting finds the beat in all music: bass alone is right for pop and folk, treble for
 * latin and swing. Of three searches and their relatives the best is right for 97 of 100 (mean of
 * F and CMLt 0.967 on the development clips, where the best single search reaches 0.725).
 *
 * A search that explains the novelty no better than no beats would finds nothing: silence, a held
 * tone and a single click have no candidates.
 */
export function beatCandidates(novelty: Novelty): {
  candidates: Candidate[]
  /** Log-odds of a beat in each frame, one curve for each weighting of the novelty. */
  odds: Float32Array[]
} {
  const { fps } = novelty
  const candidates: Candidate[] = []
  const odds = CANDIDATES.weightings.map(({ low, mid, high }) =>
    beatOdds(
      salience(
        blend([
          { curve: novelty.low, weight: low },
          { curve: novelty.mid, weight: mid },
          { curve: novelty.high, weight: high },
        ]),
        fps,
      ),
    ),
  )
  CANDIDATES.searches.forEach((search, s) => {
    const path = followBeats(
      odds[search.weighting]!,
      Math.round((60 * fps) / POINTER.fastest),
      Math.round((60 * fps) / search.slowest),
      POINTER.stiffness,
    )
    if (path.gain <= 0) return
    const beats = Float64Array.from(path.frames)
    CANDIDATES.relations.forEach(({ cut, keep, from }, relation) => {
      const at = relative(beats, cut, keep, from)
      const bpm = (60 * fps * (at.length - 1)) / (at.at(-1)! - at[0]!)
      if (at.length >= 3 && bpm >= CANDIDATES.slowest && bpm <= CANDIDATES.fastest)
        candidates.push({ at, search: s, relation })
    })
  })
  return { candidates, odds }
}

/** Cuts each beat in `cut` equal parts and keeps every `keep`-th point, beginning at `from`. */
function relative(beats: Float64Array, cut: number, keep: number, from: number): Float64Array {
  const kept: number[] = []
  for (let point = from; point <= (beats.length - 1) * cut; point += keep) {
    const beat = Math.floor(point / cut)
    const share = (point % cut) / cut
    const start = beats[beat]!
    kept.push(share === 0 ? start : start + ((beats[beat + 1] ?? start) - start) * share)
  }
  return Float64Array.from(kept)
}

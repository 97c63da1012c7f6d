import type { Candidate } from './beat-candidates.ts'
import { TRAITS } from './rhythm-constants.ts'

/** How far each two candidates name the same beats: F-measure within ±70 ms, n × n, 1 at i = j. */
export function pathAgreement(candidates: readonly Candidate[], fps: number): Float64Array {
  const count = candidates.length
  const agreement = new Float64Array(count * count).fill(1)
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) {
      const value = sharedBeats(candidates[i]!.at, candidates[j]!.at, TRAITS.sameBeat * fps)
      agreement[i * count + j] = value
      agreement[j * count + i] = value
    }
  return agreement
}

function sharedBeats(one: Float64Array, other: Float64Array, reach: number): number {
  let shared = 0
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const away = one[i]! - other[j]!
    if (Math.abs(away) <= reach) {
      shared++
      i++
      j++
    } else if (away < 0) i++
    else j++
  }
  return (2 * shared) / (one.length + other.length)
}

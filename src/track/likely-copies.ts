import { DESCRIPTOR_LENGTH, PARTS } from '../analysis/descriptor.ts'
import { type Equal, LIKELY, POSSIBLE } from '../fingerprint/sketch.ts'

/** The level is left out of the timbre: copies may be louder. */
const TIMBRES = PARTS.timbre + 1
const TIMBRE_COUNT = 11
const DENSITY_COUNT = PARTS.tempo - PARTS.density

/** Numbers of a gist. */
export const GIST_LENGTH = TIMBRE_COUNT + DENSITY_COUNT

/**
 * How far the gists of copies may be apart. Most are by a quarter of it, of other pairs of tracks a
 * few in a thousand by less than it.
 */
const APART = Object.freeze({ timbre: 20, density: 1 })

/** What of a descriptor tells quickly whether two tracks sound alike: mean timbre, onsets a second. */
export function gistOf(descriptor: Float32Array): Float32Array {
  const gist = new Float32Array(GIST_LENGTH)
  if (descriptor.length < DESCRIPTOR_LENGTH) return gist
  gist.set(descriptor.subarray(TIMBRES, TIMBRES + TIMBRE_COUNT))
  gist.set(descriptor.subarray(PARTS.density, PARTS.density + DENSITY_COUNT), TIMBRE_COUNT)
  return gist
}

/**
 * Whether two tracks are worth a closer look: their sketches have much in common, or something, and
 * they sound alike.
 *
 * @param one - gists, one after the other; the first begins at `i`
 * @param other - the second begins at `j`
 */
export function mayBeCopies(
  equal: Equal,
  one: Float32Array,
  i: number,
  other: Float32Array,
  j: number,
): boolean {
  if (equal.chroma >= LIKELY.chroma || equal.echoprint >= LIKELY.echoprint) return true
  if (equal.chroma < POSSIBLE.chroma && equal.echoprint < POSSIBLE.echoprint) return false
  return (
    apart(one, i, other, j, TIMBRE_COUNT) <= APART.timbre &&
    apart(one, i + TIMBRE_COUNT, other, j + TIMBRE_COUNT, DENSITY_COUNT) <= APART.density
  )
}

function apart(one: Float32Array, i: number, other: Float32Array, j: number, count: number) {
  let sum = 0
  for (let k = 0; k < count; k++) sum += (one[i + k]! - other[j + k]!) ** 2
  return Math.sqrt(sum)
}

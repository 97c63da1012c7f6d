import { DESCRIPTOR_LENGTH, PARTS } from '../analysis/descriptor.ts'
import { type Equal, LIKELY, POSSIBLE } from '../fingerprint/sketch.ts'

/** The shorter of two copies lasts at least this share of the longer: it is trimmed, not an excerpt. */
export const SHORTEST = 2 / 3

/** Without the level, the first coefficient: copies may be louder. */
const TIMBRES = PARTS.timbre + 1
const TIMBRE_COUNT = 11
const DENSITY_COUNT = PARTS.tempo - PARTS.density

/** Numbers of a gist. */
export const GIST_LENGTH = TIMBRE_COUNT + DENSITY_COUNT

/**
 * How far the gists of copies may be apart. Most copies are apart by a quarter of it; a few in a
 * thousand pairs of other tracks by less than it.
 */
const APART = Object.freeze({ timbre: 20, density: 1 })

/** The part of a descriptor that shows quickly whether tracks sound alike: mean timbre, onset density. */
export function gistOf(descriptor: Float32Array): Float32Array {
  const gist = new Float32Array(GIST_LENGTH)
  if (descriptor.length < DESCRIPTOR_LENGTH) return gist
  gist.set(descriptor.subarray(TIMBRES, TIMBRES + TIMBRE_COUNT))
  gist.set(descriptor.subarray(PARTS.density, PARTS.density + DENSITY_COUNT), TIMBRE_COUNT)
  return gist
}

/**
 * Whether two tracks are worth comparing: their sketches have much in common, or they have something
 * in common and the tracks sound alike.
 *
 * @param one - holds the first track's gist, from `i` on
 * @param other - holds the second track's gist, from `j` on
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

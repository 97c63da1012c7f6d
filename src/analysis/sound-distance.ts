import { DESCRIPTOR, DESCRIPTOR_PARTS, GAUSSIAN_SIZES, logDeterminant } from './descriptor.ts'

/**
 * The weight of each part of a descriptor, and its deviation over pairs of assorted music; chosen
 * as test/programs/trainers/README.md says.
 */
export const SOUND_DISTANCE = {
  timbre: { weight: 1.3, deviation: 0.29 },
  change: { weight: 0.33, deviation: 0.29 },
  harmony: { weight: 0.33, deviation: 0.28 },
  pattern: { weight: 0.2, deviation: 0.79 },
  density: { weight: 0.2, deviation: 1.4 },
  tempo: { weight: 0.13, deviation: 0.15 },
  /** Octaves: the distance of double tempo, and the largest distance. */
  octave: 0.1,
  mostOctaves: 0.5,
}

const { timbre, change, harmony, pattern, density, tempo, octave, mostOctaves } = SOUND_DISTANCE
const PATTERN_END = DESCRIPTOR_PARTS.pattern + DESCRIPTOR.bands * DESCRIPTOR.places

/** Reused, so that a comparison allocates nothing. */
const scratch = new Float64Array((GAUSSIAN_SIZES.timbre * (GAUSSIAN_SIZES.timbre + 1)) / 2)

/**
 * How differently two tracks sound: 0 for the same descriptor, about 10 for any two tracks.
 * Gaussians are compared by the Jensen-Shannon divergence (Schnitzer et al., JMLR 13, 2012).
 *
 * @param a - descriptors, one after the other; the first begins at `i`
 * @param b - the second begins at `j`
 */
export function soundDistance(a: Float32Array, i: number, b: Float32Array, j: number): number {
  return (
    (timbre.weight / timbre.deviation) *
      gaussianDivergence(a, i, b, j, DESCRIPTOR_PARTS.timbre, GAUSSIAN_SIZES.timbre) +
    (change.weight / change.deviation) *
      gaussianDivergence(a, i, b, j, DESCRIPTOR_PARTS.change, GAUSSIAN_SIZES.change) +
    (harmony.weight / harmony.deviation) *
      gaussianDivergence(a, i, b, j, DESCRIPTOR_PARTS.harmony, GAUSSIAN_SIZES.harmony) +
    (pattern.weight / pattern.deviation) *
      euclideanDistance(a, i, b, j, DESCRIPTOR_PARTS.pattern, PATTERN_END) +
    (density.weight / density.deviation) *
      euclideanDistance(a, i, b, j, DESCRIPTOR_PARTS.density, DESCRIPTOR_PARTS.tempo) +
    (tempo.weight / tempo.deviation) *
      octavesApart(a[i + DESCRIPTOR_PARTS.tempo]!, b[j + DESCRIPTOR_PARTS.tempo]!)
  )
}

/**
 * The root of the Jensen-Shannon divergence, which is nearly a metric; the mixture is taken as one
 * Gaussian.
 */
function gaussianDivergence(
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
  partStart: number,
  size: number,
): number {
  const meanA = i + partStart
  const meanB = j + partStart
  let entry = size
  for (let row = 0, k = 0; row < size; row++) {
    const apart = (a[meanA + row]! - b[meanB + row]!) / 4
    for (let column = 0; column <= row; column++, k++, entry++) {
      scratch[k] =
        (a[meanA + entry]! + b[meanB + entry]!) / 2 +
        apart * (a[meanA + column]! - b[meanB + column]!)
    }
  }
  const logDeterminants = (a[meanA + entry]! + b[meanB + entry]!) / 2
  return Math.sqrt(Math.max(0, (logDeterminant(scratch, size) - logDeterminants) / 2))
}

function euclideanDistance(
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
  partStart: number,
  partEnd: number,
): number {
  let sum = 0
  for (let k = partStart; k < partEnd; k++) {
    const apart = a[i + k]! - b[j + k]!
    sum += apart * apart
  }
  return Math.sqrt(sum)
}

/** Double and half tempo count little, because they are easily confused. */
function octavesApart(a: number, b: number): number {
  if (a === 0 || b === 0) return a === b ? 0 : mostOctaves
  const apart = Math.abs(Math.log2(a / b))
  return Math.min(apart, Math.abs(apart - 1) + octave, mostOctaves)
}

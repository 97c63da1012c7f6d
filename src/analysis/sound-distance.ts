import { DESCRIPTOR, logDeterminant, PARTS, SIZES } from './descriptor.ts'

/**
 * The weight of each part of a descriptor in a distance, and its deviation over pairs of assorted
 * music. Timbre was given its weight on 154 tracks of 9 kinds and judged on 189 of 12 others (see
 * test/programs/trainers/README.md); the sum makes the distance of any two tracks about 10.
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
const PATTERN_END = PARTS.pattern + DESCRIPTOR.bands * DESCRIPTOR.places

/** Room for one covariance: distances are computed one after the other. */
const scratch = new Float64Array((SIZES.timbre * (SIZES.timbre + 1)) / 2)

/**
 * How differently two tracks sound: 0 for the same descriptor, about 10 for any two tracks; a sum of
 * the descriptors' parts, weighted.
 *
 * Gaussians are compared by the Jensen-Shannon divergence, with one Gaussian in place of their
 * mixture, as in Schnitzer, Flexer, Schedl, Widmer, "Local and global scaling reduce hubs in space"
 * (JMLR 13, 2012). The symmetrised Kullback-Leibler divergence of Mandel & Ellis is no better and
 * needs the inverse of each covariance.
 *
 * @param a - descriptors, one after the other; the first begins at `i`
 * @param b - the second begins at `j`
 */
export function soundDistance(a: Float32Array, i: number, b: Float32Array, j: number): number {
  return (
    (timbre.weight / timbre.deviation) * divergence(a, i, b, j, PARTS.timbre, SIZES.timbre) +
    (change.weight / change.deviation) * divergence(a, i, b, j, PARTS.change, SIZES.change) +
    (harmony.weight / harmony.deviation) * divergence(a, i, b, j, PARTS.harmony, SIZES.harmony) +
    (pattern.weight / pattern.deviation) * euclidean(a, i, b, j, PARTS.pattern, PATTERN_END) +
    (density.weight / density.deviation) * euclidean(a, i, b, j, PARTS.density, PARTS.tempo) +
    (tempo.weight / tempo.deviation) * octavesApart(a[i + PARTS.tempo]!, b[j + PARTS.tempo]!)
  )
}

/** The root of the Jensen-Shannon divergence of two Gaussians, which is nearly a metric. */
function divergence(
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
  part: number,
  size: number,
): number {
  const meanA = i + part
  const meanB = j + part
  let at = size
  for (let row = 0, k = 0; row < size; row++) {
    const apart = (a[meanA + row]! - b[meanB + row]!) / 4
    for (let column = 0; column <= row; column++, k++, at++) {
      scratch[k] =
        (a[meanA + at]! + b[meanB + at]!) / 2 + apart * (a[meanA + column]! - b[meanB + column]!)
    }
  }
  const own = (a[meanA + at]! + b[meanB + at]!) / 2
  return Math.sqrt(Math.max(0, (logDeterminant(scratch, size) - own) / 2))
}

function euclidean(
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
  from: number,
  to: number,
): number {
  let sum = 0
  for (let k = from; k < to; k++) {
    const apart = a[i + k]! - b[j + k]!
    sum += apart * apart
  }
  return Math.sqrt(sum)
}

/** Octaves between two tempos; double and half count little, because they are easily confused. */
function octavesApart(a: number, b: number): number {
  if (a === 0 || b === 0) return a === b ? 0 : mostOctaves
  const apart = Math.abs(Math.log2(a / b))
  return Math.min(apart, Math.abs(apart - 1) + octave, mostOctaves)
}

import { DESCRIPTOR, PARTS, SIZES } from './descriptor.ts'

const TRIANGLE = (size: number) => (size * (size + 1)) / 2
const gaussianFeatures = (size: number) => size + TRIANGLE(size)

const PATTERN_LENGTH = DESCRIPTOR.bands * DESCRIPTOR.places
const DENSITY_LENGTH = PARTS.tempo - PARTS.density

/** The parts of the features, each with its length. */
export const FEATURE_PARTS = {
  timbre: gaussianFeatures(SIZES.timbre),
  change: gaussianFeatures(SIZES.change),
  harmony: gaussianFeatures(SIZES.harmony),
  pattern: PATTERN_LENGTH,
  density: DENSITY_LENGTH,
  /** Cosine and sine of the tempo's place in its octave. */
  tempo: 2,
} as const

/** The count of the features of a sound. */
export const FEATURES = Object.values(FEATURE_PARTS).reduce((sum, length) => sum + length, 0)

/**
 * The numbers of a descriptor in a form whose differences can be added: each Gaussian as its mean
 * and the logarithmic Cholesky factor of its covariance (Lin, "Riemannian geometry of symmetric
 * positive definite matrices via Cholesky decomposition", 2019), row by row; the tempo on a circle
 * of one octave.
 *
 * @returns {@link FEATURES} numbers
 */
export function soundFeatures(descriptor: Float32Array): Float64Array {
  const features = new Float64Array(FEATURES)
  let at = 0
  for (const part of ['timbre', 'change', 'harmony'] as const) {
    const size = SIZES[part]
    const from = PARTS[part]
    features.set(descriptor.subarray(from, from + size), at)
    const covariance = descriptor.subarray(from + size, from + size + TRIANGLE(size))
    features.set(logCholesky(covariance, size), at + size)
    at += FEATURE_PARTS[part]
  }
  features.set(descriptor.subarray(PARTS.pattern, PARTS.tempo), at)
  at += PATTERN_LENGTH + DENSITY_LENGTH
  const tempo = descriptor[PARTS.tempo]!
  if (tempo > 0) {
    const angle = 2 * Math.PI * Math.log2(tempo)
    features[at] = Math.cos(angle)
    features[at + 1] = Math.sin(angle)
  }
  return features
}

/**
 * The Cholesky factor of a covariance, both as lower halves row by row, with the logarithms of its
 * diagonal.
 */
function logCholesky(covariance: Float32Array, size: number): Float64Array {
  const factor = Float64Array.from(covariance)
  for (let i = 0, row = 0; i < size; row += ++i) {
    for (let j = 0, other = 0; j <= i; other += ++j) {
      let sum = factor[row + j]!
      for (let k = 0; k < j; k++) sum -= factor[row + k]! * factor[other + k]!
      // Rounding can make the pivot of a nearly constant dimension 0 or negative.
      factor[row + j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / factor[other + j]!
    }
  }
  for (let i = 0, at = 0; i < size; at += ++i + 1) factor[at] = Math.log(factor[at]!)
  return factor
}

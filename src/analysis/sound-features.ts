import { DESCRIPTOR, DESCRIPTOR_PARTS, GAUSSIAN_SIZES } from './descriptor.ts'

const triangleSize = (size: number) => (size * (size + 1)) / 2
const gaussianFeatures = (size: number) => size + triangleSize(size)

const PATTERN_LENGTH = DESCRIPTOR.bands * DESCRIPTOR.places
const DENSITY_LENGTH = DESCRIPTOR_PARTS.tempo - DESCRIPTOR_PARTS.density

/** The length of each part. */
export const FEATURE_PARTS = {
  timbre: gaussianFeatures(GAUSSIAN_SIZES.timbre),
  change: gaussianFeatures(GAUSSIAN_SIZES.change),
  harmony: gaussianFeatures(GAUSSIAN_SIZES.harmony),
  pattern: PATTERN_LENGTH,
  density: DENSITY_LENGTH,
  /** Cosine and sine of the tempo's place in its octave. */
  tempo: 2,
} as const

/** The count of the features of a sound. */
export const FEATURES = Object.values(FEATURE_PARTS).reduce((sum, length) => sum + length, 0)

/**
 * A descriptor in numbers whose differences can be added: Gaussians as mean and log-Cholesky factor
 * (Lin, 2019), the tempo on a circle of one octave.
 *
 * @returns {@link FEATURES} numbers
 */
export function soundFeatures(descriptor: Float32Array): Float64Array {
  const features = new Float64Array(FEATURES)
  let offset = 0
  for (const partName of ['timbre', 'change', 'harmony'] as const) {
    const size = GAUSSIAN_SIZES[partName]
    const partStart = DESCRIPTOR_PARTS[partName]
    features.set(descriptor.subarray(partStart, partStart + size), offset)
    const covariance = descriptor.subarray(partStart + size, partStart + size + triangleSize(size))
    features.set(logCholesky(covariance, size), offset + size)
    offset += FEATURE_PARTS[partName]
  }
  features.set(descriptor.subarray(DESCRIPTOR_PARTS.pattern, DESCRIPTOR_PARTS.tempo), offset)
  offset += PATTERN_LENGTH + DENSITY_LENGTH
  const tempo = descriptor[DESCRIPTOR_PARTS.tempo]!
  if (tempo > 0) {
    const angle = 2 * Math.PI * Math.log2(tempo)
    features[offset] = Math.cos(angle)
    features[offset + 1] = Math.sin(angle)
  }
  return features
}

/** Both as lower halves, row by row. */
function logCholesky(covariance: Float32Array, size: number): Float64Array {
  const factor = Float64Array.from(covariance)
  for (let i = 0, row = 0; i < size; row += ++i) {
    for (let j = 0, otherRow = 0; j <= i; otherRow += ++j) {
      let sum = factor[row + j]!
      for (let k = 0; k < j; k++) sum -= factor[row + k]! * factor[otherRow + k]!
      // Rounding can make the pivot of a nearly constant dimension 0 or negative.
      factor[row + j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / factor[otherRow + j]!
    }
  }
  for (let i = 0, diagonal = 0; i < size; diagonal += ++i + 1)
    factor[diagonal] = Math.log(factor[diagonal]!)
  return factor
}

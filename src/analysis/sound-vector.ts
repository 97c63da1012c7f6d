import { FEATURES, soundFeatures } from './sound-features.ts'
import { SOUND_MAP, VECTOR_FEATURES } from './sound-map.ts'

/** The last number is 1 in each, so that a row of zeros is no vector. */
export const VECTOR_LENGTH = VECTOR_FEATURES + 1

const LARGEST_COMPONENT = 127

/**
 * The principal components of a descriptor; distances of vectors follow {@link soundDistance}, so
 * that few tracks need comparing.
 *
 * @returns {@link VECTOR_LENGTH} integers, -127…127
 */
export function soundVector(descriptor: Float32Array): Int8Array<ArrayBuffer> {
  const features = soundFeatures(descriptor)
  const vector = new Int8Array(VECTOR_LENGTH)
  for (let k = 0; k < VECTOR_FEATURES; k++) {
    let sum = SOUND_MAP.offsets[k]!
    for (let i = 0; i < FEATURES; i++) sum += SOUND_MAP.rows[k * FEATURES + i]! * features[i]!
    vector[k] = Math.max(-LARGEST_COMPONENT, Math.min(LARGEST_COMPONENT, Math.round(sum)))
  }
  vector[VECTOR_FEATURES] = 1
  return vector
}

/** The {@link soundDistance} to expect of two tracks, by the squared distance of their vectors. */
export function estimatedDistance(squared: number): number {
  return SOUND_MAP.least + SOUND_MAP.scale * Math.sqrt(squared)
}

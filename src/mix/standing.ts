import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { mutualProximity, type Spread, spreadApartness } from '../track/proximity.ts'
import type { TrackRoom } from '../track/room.ts'

export interface EstimatedTrack {
  num: number
  vector: Int8Array
}

export interface MeasuredDistance {
  /** The distance of the sounds. */
  distance: number
  /** Scaled by the neighbourhoods of both. */
  apart: number
  /** 0…1 */
  similarity: number
}

/** By vectors, scaled by the neighbourhoods of both. */
export function estimateFrom(
  room: TrackRoom,
  { num, vector }: EstimatedTrack,
): (num: number) => number {
  const vectors = room.space.vectors()
  const { spreads } = room.space
  const ownSpread = spreads.estimatedOf(num)
  return (otherNum) => {
    const distance = estimatedDistance(vectors.squaredDistance(otherNum, vector))
    return spreadApartness(distance, ownSpread, spreads.estimatedOf(otherNum))
  }
}

export interface Sound {
  descriptor: Float32Array
  spread: Spread
}

export interface DescribedTrack {
  num: number
  descriptor: Float32Array
}

/** A measured spread costs a hundred times an estimated one. */
export type SoundReader = (room: TrackRoom, track: DescribedTrack) => Sound

export const measuredSound: SoundReader = ({ space }, { num, descriptor }) => {
  return { descriptor, spread: space.spreads.measuredOf(num, descriptor) }
}

export const estimatedSound: SoundReader = ({ space }, { num, descriptor }) => {
  return { descriptor, spread: space.spreads.estimatedOf(num) }
}

export function measureDistance(sound: Sound, otherSound: Sound): MeasuredDistance {
  const distance = soundDistance(sound.descriptor, 0, otherSound.descriptor, 0)
  return {
    distance,
    apart: spreadApartness(distance, sound.spread, otherSound.spread),
    similarity: mutualProximity(distance, sound.spread, otherSound.spread),
  }
}

/** -ln Σ w·exp(-d) of shares w: the nearest counts most. */
export function softMinimum(list: readonly { weight: number; apart: number }[]): number {
  let sum = 0
  let total = 0
  for (const { weight, apart } of list) {
    sum += weight * Math.exp(-apart)
    total += weight
  }
  return -Math.log(sum / total)
}

/** `undefined` without seeds. */
export function measureFromSeeds(
  seeds: readonly { sound: Sound; weight: number }[],
  sound: Sound,
): MeasuredDistance | undefined {
  if (seeds.length === 0) return undefined
  const seedDistances = seeds.map((seed) => ({
    weight: seed.weight,
    ...measureDistance(seed.sound, sound),
  }))
  return {
    distance: softMinimum(
      seedDistances.map(({ weight, distance }) => ({ weight, apart: distance })),
    ),
    apart: softMinimum(seedDistances),
    similarity: Math.max(...seedDistances.map(({ similarity }) => similarity)),
  }
}

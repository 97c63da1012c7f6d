import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { apartness, mutualProximity, type Spread } from '../track/proximity.ts'
import type { TrackRoom } from '../track/room.ts'

/** A track from which others are told to be near or far, by estimates. */
export interface Estimating {
  num: number
  vector: Int8Array
}

/** How far a track is from another one. */
export interface Measured {
  /** The distance of the sounds. */
  distance: number
  /** As the neighbourhoods of both go. */
  apart: number
  /** 0…1 */
  similarity: number
}

/** A function that tells how far tracks are from one, as both neighbourhoods go, by vectors. */
export function estimateFrom(
  room: TrackRoom,
  { num, vector }: Estimating,
): (num: number) => number {
  const vectors = room.space.vectors()
  const { spreads } = room.space
  const own = spreads.estimatedOf(num)
  return (other) => {
    const distance = estimatedDistance(vectors.squaredDistance(other, vector))
    return apartness(distance, own, spreads.estimatedOf(other))
  }
}

/** A sound whose distance from others is measured. */
export interface Sound {
  descriptor: Float32Array
  spread: Spread
}

/** A track whose sound is known. */
export interface Described {
  num: number
  descriptor: Float32Array
}

/** Tells the spread of a track: measured, or estimated, which costs a hundredth. */
export type Hear = (room: TrackRoom, track: Described) => Sound

export const heard: Hear = ({ space }, { num, descriptor }) => {
  return { descriptor, spread: space.spreads.of(num, descriptor) }
}

export const roughlyHeard: Hear = ({ space }, { num, descriptor }) => {
  return { descriptor, spread: space.spreads.estimatedOf(num) }
}

/** How far two sounds are from each other. */
export function measure(one: Sound, other: Sound): Measured {
  const distance = soundDistance(one.descriptor, 0, other.descriptor, 0)
  return {
    distance,
    apart: apartness(distance, one.spread, other.spread),
    similarity: mutualProximity(distance, one.spread, other.spread),
  }
}

/** The soft minimum of distances, -ln Σ w·exp(-d) of shares w: the nearest counts most. */
export function softMinimum(list: readonly { weight: number; apart: number }[]): number {
  let sum = 0
  let total = 0
  for (const { weight, apart } of list) {
    sum += weight * Math.exp(-apart)
    total += weight
  }
  return -Math.log(sum / total)
}

/** How far a sound is from seeds; `undefined` from none. */
export function measureFromSeeds(
  seeds: readonly { sound: Sound; weight: number }[],
  sound: Sound,
): Measured | undefined {
  if (seeds.length === 0) return undefined
  const seedDistances = seeds.map((seed) => ({
    weight: seed.weight,
    ...measure(seed.sound, sound),
  }))
  return {
    distance: softMinimum(
      seedDistances.map(({ weight, distance }) => ({ weight, apart: distance })),
    ),
    apart: softMinimum(seedDistances),
    similarity: Math.max(...seedDistances.map(({ similarity }) => similarity)),
  }
}

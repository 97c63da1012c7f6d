import { estimatedDistance } from '../analysis/sound-vector.ts'
import { Smallest } from '../kernel/smallest.ts'
import { isMusicIn } from '../track/music.ts'
import { TYPICAL_APARTNESS } from '../track/proximity.ts'
import { matchingTracks } from '../track/search-tracks.ts'
import { ROWS_PER_SCAN } from '../track/vectors.ts'
import type { Arc } from './arc.ts'
import { allItems, isRecent, tracksOfItems } from './liking.ts'
import { moodDistance } from './moods.ts'
import { uniformDraw } from './random.ts'
import type { MixRoom } from './room.ts'
import type { Seeds } from './seeds.ts'
import { estimateFrom } from './standing.ts'
import type { Wish } from './wish.ts'

/** Tracks from which a mix chooses. */
const POOL_SIZE = 2_000
/** What counts against nearness to what a mix keeps away from; the seeds count 1. */
const AWAY_WEIGHTS = { less: 2, skipped: 0.6 }

/** Tracks that a mix may play. */
export interface Pool {
  nums: Int32Array
  /** Estimated distances. */
  fromSeeds: Float64Array
  /** How much nearer each is to what is kept away from than two tracks of assorted music are. */
  against: Float64Array
  isAll: boolean
}

export interface PoolWish {
  wish: Wish
  seed: number
  seeds: Seeds
  less: Seeds
  skipped: Seeds
  arc: Arc
}

/**
 * By ascending number. What is no music is allowed only where nothing else is left, or the
 * conditions ask for it.
 */
export function allowedTracks(
  room: MixRoom,
  { where, avoid }: Pick<Wish, 'where' | 'avoid'>,
): Int32Array {
  const vectors = room.track.space.vectors()
  const avoided = avoidedTracks(room, avoid)
  // Loops in place of filter and map take a fraction for a million tracks.
  const analysedTracks = filterInPlace(
    matchingTracks(room.track, where),
    (num) => vectors.has(num) && !avoided.has(num),
  )
  const music = filterInPlace(
    analysedTracks.slice(),
    isMusicIn(room.track.library.read().columns, where),
  )
  const allowed = music.length > 0 ? music : analysedTracks
  for (let i = 1; i < allowed.length; i++) if (allowed[i]! < allowed[i - 1]!) return allowed.sort()
  return allowed
}

/** Moved to the front of the list. */
function filterInPlace(nums: Int32Array, passes: (num: number) => boolean): Int32Array {
  let count = 0
  for (let i = 0; i < nums.length; i++) if (passes(nums[i]!)) nums[count++] = nums[i]!
  return nums.subarray(0, count)
}

function avoidedTracks(room: MixRoom, catalogs: Wish['avoid']): Set<number> {
  const now = room.now()
  const items = catalogs.flatMap(({ catalog, playedHours }) =>
    [...allItems(room, catalog)].filter(
      (item) => item.banned === 1 || isRecent(item, playedHours, now),
    ),
  )
  return new Set([...tracksOfItems(room, items).values()].flat())
}

export function poolOfAll(
  room: MixRoom,
  nums: Int32Array,
  { seeds, less, skipped }: PoolWish,
): Pool {
  const fromSeeds = distancesFrom(room, nums, seeds)
  const total = Math.log(totalWeight(seeds))
  if (totalWeight(seeds) > 0)
    for (let i = 0; i < nums.length; i++) fromSeeds[i] = fromSeeds[i]! + total
  const against = new Float64Array(nums.length)
  for (const [away, weight] of [
    [less, AWAY_WEIGHTS.less],
    [skipped, AWAY_WEIGHTS.skipped],
  ] as const) {
    if (totalWeight(away) === 0) continue
    const apart = distancesFrom(room, nums, away)
    for (let i = 0; i < nums.length; i++)
      against[i] = against[i]! + weight * (TYPICAL_APARTNESS - apart[i]!)
  }
  return { nums, fromSeeds, against, isAll: true }
}

/**
 * With adventurousness, some are drawn from all. With an arc, each part of its range gives as many.
 */
export function smallerPool(pool: Pool, { wish, seed, arc }: PoolWish): Pool {
  const { nums, fromSeeds, against } = pool
  if (nums.length <= POOL_SIZE) return pool
  const { adventurousness } = wish
  const groupSize = Math.ceil(POOL_SIZE / arc.partCount)
  const groups = Array.from({ length: arc.partCount }, () => new Smallest(groupSize))
  for (let place = 0; place < nums.length; place++) {
    const drawn = adventurousness === 0 ? 0 : adventurousness * uniformDraw(seed, 0, nums[place]!)
    const near = (1 - adventurousness) * fromSeeds[place]! + against[place]!
    groups[arc.partOfTrack(nums[place]!)]!.add(place, near + TYPICAL_APARTNESS * drawn)
  }
  const chosen = groups.flatMap((group) => group.rows())
  const places = Int32Array.from(chosen).sort()
  return {
    nums: places.map((place) => nums[place]!),
    fromSeeds: Float64Array.from(places, (place) => fromSeeds[place]!),
    against: Float64Array.from(places, (place) => against[place]!),
    isAll: false,
  }
}

/** Too slow for all tracks of a large library. */
export function refinedPool(room: MixRoom, pool: Pool, { seeds, less, skipped }: PoolWish): Pool {
  const { nums } = pool
  const against = new Float64Array(nums.length)
  for (const [away, weight] of [
    [less, AWAY_WEIGHTS.less],
    [skipped, AWAY_WEIGHTS.skipped],
  ] as const) {
    if (totalWeight(away) === 0) continue
    const apart = neighbourhoodDistances(room, nums, away)
    // What is farther than any two tracks are is not better for it.
    for (let i = 0; i < nums.length; i++)
      against[i] = against[i]! + weight * Math.max(0, TYPICAL_APARTNESS - apart[i]!)
  }
  return { ...pool, fromSeeds: neighbourhoodDistances(room, nums, seeds), against }
}

/** A soft minimum; 0 without seeds. */
function neighbourhoodDistances(room: MixRoom, nums: Int32Array, seeds: Seeds): Float64Array {
  const sums = new Float64Array(nums.length)
  const total = totalWeight(seeds)
  if (total === 0) return sums
  const { valence, energy } = room.track.library.read().columns
  const parts = [
    ...seeds.sounds.map((sound) => ({ ...sound, apart: estimateFrom(room.track, sound) })),
    ...seeds.moods.map(({ mood, weight }) => ({
      weight,
      apart: (num: number) => moodDistance(mood, valence[num]!, energy[num]!),
    })),
  ]
  for (const { weight, apart } of parts)
    for (let i = 0; i < nums.length; i++)
      sums[i] = sums[i]! + (weight / total) * Math.exp(-apart(nums[i]!))
  for (let i = 0; i < nums.length; i++) sums[i] = -Math.log(sums[i]!)
  return sums
}

export function totalWeight({ sounds, moods }: Seeds): number {
  return [...sounds, ...moods].reduce((sum, { weight }) => sum + weight, 0)
}

/** A soft minimum, -ln Σ w·exp(-d), of estimated distances; 0 without seeds. */
function distancesFrom(room: MixRoom, nums: Int32Array, { sounds, moods }: Seeds): Float64Array {
  const distances = new Float64Array(nums.length)
  if (sounds.length + moods.length === 0) return distances
  const vectors = room.track.space.vectors()
  const isOne = sounds.length + moods.length === 1
  const addSeed = isOne
    ? (i: number, apart: number, weight: number) => {
        // Without exponentials, which take most of the time for a million tracks.
        distances[i] = apart - Math.log(weight)
      }
    : (i: number, apart: number, weight: number) => {
        distances[i] = distances[i]! + weight * Math.exp(-apart)
      }
  for (const { vector, weight } of sounds) {
    let first = 0
    let squared = vectors.squaredDistances(vector, 0, 0)
    for (let i = 0; i < nums.length; i++) {
      const num = nums[i]!
      if (num >= first + squared.length) {
        first = Math.floor(num / ROWS_PER_SCAN) * ROWS_PER_SCAN
        squared = vectors.squaredDistances(
          vector,
          first,
          Math.min(ROWS_PER_SCAN, vectors.length - first),
        )
      }
      addSeed(i, estimatedDistance(squared[num - first]!), weight)
    }
  }
  const { valence, energy } = room.track.library.read().columns
  for (const { mood, weight } of moods) {
    for (let i = 0; i < nums.length; i++) {
      addSeed(i, moodDistance(mood, valence[nums[i]!]!, energy[nums[i]!]!), weight)
    }
  }
  if (!isOne) for (let i = 0; i < distances.length; i++) distances[i] = -Math.log(distances[i]!)
  return distances
}

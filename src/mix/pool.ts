import { estimatedDistance } from '../analysis/sound-vector.ts'
import { firstByKey } from '../song/search.ts'
import { matchingTracks } from '../track/search-tracks.ts'
import { SCANNED } from '../track/vectors.ts'
import { type Arc, GROUPS } from './arc.ts'
import { isRecent, itemsOf, tracksOfItems } from './liking.ts'
import { moodDistance } from './moods.ts'
import { uniform } from './random.ts'
import type { MixRoom } from './room.ts'
import type { Seeds } from './seeds.ts'
import type { Wish } from './wish.ts'

/** Tracks from which a mix chooses. */
const SIZE = 2_000
/** The mean distance of two tracks of assorted music. */
const TYPICAL = 10
/** How much skipped tracks count beside what a mix is to keep away from. */
const SKIPPED = 0.3

/** Tracks that a mix may play, with their distances from its seeds. */
export interface Pool {
  nums: Int32Array
  /** The distance of each from the seeds, estimated. */
  fromSeeds: Float64Array
  /**
   * What each has against it: how much nearer it is to what the mix is to keep away from than two
   * tracks of assorted music are.
   */
  against: Float64Array
  /** Whether it has all tracks that are allowed. */
  isAll: boolean
}

/** What a pool is made by. */
export interface PoolWish {
  wish: Wish
  seed: number
  seeds: Seeds
  less: Seeds
  skipped: Seeds
  arc: Arc
}

/** The tracks that a mix may play, by ascending number: those that meet its conditions, and are not to be avoided. */
export function allowedTracks(
  room: MixRoom,
  { where, avoid }: Pick<Wish, 'where' | 'avoid'>,
): Int32Array {
  const vectors = room.track.space.vectors()
  const avoided = avoidedTracks(room, avoid)
  const found = matchingTracks(room.track, where)
  return found.filter((num) => vectors.has(num) && !avoided.has(num)).sort()
}

function avoidedTracks(room: MixRoom, catalogs: Wish['avoid']): Set<number> {
  const now = room.now()
  const items = catalogs.flatMap(({ catalog, playedHours }) =>
    [...itemsOf(room, catalog)].filter(
      (item) => item.banned === 1 || isRecent(item, playedHours, now),
    ),
  )
  return new Set([...tracksOfItems(room, items).values()].flat())
}

/** The pool of all tracks that are allowed. */
export function poolOf(room: MixRoom, nums: Int32Array, { seeds, less, skipped }: PoolWish): Pool {
  const fromSkipped = distancesFrom(room, nums, skipped)
  const against = distancesFrom(room, nums, less).map(
    (apart, i) => Math.max(0, TYPICAL - apart) + SKIPPED * Math.max(0, TYPICAL - fromSkipped[i]!),
  )
  const total = weightOf(seeds)
  const fromSeeds = distancesFrom(room, nums, seeds)
  return {
    nums,
    fromSeeds: fromSeeds.map((apart) => (total === 0 ? 0 : apart + Math.log(total))),
    against,
    isAll: true,
  }
}

/**
 * A smaller pool: the tracks nearest to the seeds, or with more adventurousness ones drawn from
 * all. With an arc, as many from each part of its range.
 */
export function smallerPool(pool: Pool, { wish, seed, arc }: PoolWish): Pool {
  const { nums, fromSeeds, against } = pool
  if (nums.length <= SIZE) return pool
  const { adventurousness } = wish
  const places = Int32Array.from(nums.keys())
  const order = Float64Array.from(nums, (num, i) => {
    const drawn = adventurousness * TYPICAL * uniform(seed, 0, num)
    return (1 - adventurousness) * fromSeeds[i]! + against[i]! + drawn
  })
  const groups = Array.from({ length: GROUPS }, () => [] as number[])
  if (arc.isFlat) groups[0] = [...places]
  else for (const place of places) groups[arc.groupOf(nums[place]!)]!.push(place)
  const filled = groups.filter((group) => group.length > 0)
  const chosen = filled.flatMap((group) => {
    const rows = Int32Array.from(group)
    const most = Math.ceil(SIZE / filled.length)
    return firstByKey(
      rows,
      Float64Array.from(rows, (place) => order[place]!),
      0,
      most,
    )
  })
  const kept = Int32Array.from(chosen).sort()
  return {
    nums: kept.map((place) => nums[place]!),
    fromSeeds: Float64Array.from(kept, (place) => fromSeeds[place]!),
    against: Float64Array.from(kept, (place) => against[place]!),
    isAll: false,
  }
}

/** The sum of the weights of seeds. */
export function weightOf({ sounds, moods }: Seeds): number {
  return [...sounds, ...moods].reduce((sum, { weight }) => sum + weight, 0)
}

/**
 * The estimated distance of each track from seeds: a soft minimum, -ln Σ w·exp(-d), of the weighted
 * distances; infinite from none.
 */
function distancesFrom(room: MixRoom, nums: Int32Array, { sounds, moods }: Seeds): Float64Array {
  const sums = new Float64Array(nums.length)
  const vectors = room.track.space.vectors()
  for (const { vector, weight } of sounds) {
    let first = 0
    let squared = vectors.squaredDistances(vector, 0, 0)
    for (const [i, num] of nums.entries()) {
      if (num >= first + squared.length) {
        first = Math.floor(num / SCANNED) * SCANNED
        squared = vectors.squaredDistances(vector, first, Math.min(SCANNED, vectors.length - first))
      }
      sums[i] = sums[i]! + weight * Math.exp(-estimatedDistance(squared[num - first]!))
    }
  }
  const { valence, energy } = room.track.library.read().columns
  for (const { mood, weight } of moods) {
    for (const [i, num] of nums.entries()) {
      sums[i] = sums[i]! + weight * Math.exp(-moodDistance(mood, valence[num]!, energy[num]!))
    }
  }
  return sums.map((sum) => -Math.log(sum))
}

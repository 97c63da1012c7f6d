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

/** Tracks that a mix may play, with their distances from its seeds. */
export interface Pool {
  nums: Int32Array
  /** The distance of each from the seeds, estimated. */
  fromSeeds: Float64Array
  /** What each has against it, because it is near to what the mix is to keep away from. */
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
  arc: Arc
}

/** The tracks that a mix may play: those that meet its conditions, and are not to be avoided. */
export function allowedTracks(
  room: MixRoom,
  { where, avoid }: Pick<Wish, 'where' | 'avoid'>,
): Int32Array {
  const vectors = room.track.space.vectors()
  const avoided = avoidedTracks(room, [avoid].flat())
  return matchingTracks(room.track, where).filter((num) => vectors.has(num) && !avoided.has(num))
}

function avoidedTracks(
  room: MixRoom,
  catalogs: readonly { catalog: string; playedHours?: number | undefined }[],
): Set<number> {
  const now = room.now()
  const items = catalogs.flatMap(({ catalog, playedHours }) =>
    [...itemsOf(room, catalog)].filter(
      (item) => item.banned === 1 || isRecent(item, playedHours, now),
    ),
  )
  return new Set([...tracksOfItems(room, items).values()].flat())
}

/** The pool of all tracks that are allowed. */
export function poolOf(room: MixRoom, allowed: Int32Array, { seeds, less }: PoolWish): Pool {
  return {
    nums: allowed,
    fromSeeds: distancesFrom(room, allowed, seeds),
    against: distancesFrom(room, allowed, less).map((apart) => TYPICAL - apart),
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

/**
 * The estimated distance of each track from seeds: a soft minimum, -ln Σ w·exp(-d) of the weighted
 * distances; 0 from none.
 */
function distancesFrom(room: MixRoom, nums: Int32Array, { sounds, moods }: Seeds): Float64Array {
  const sums = new Float64Array(nums.length)
  const total = [...sounds, ...moods].reduce((sum, { weight }) => sum + weight, 0)
  const vectors = room.track.space.vectors()
  for (const { vector, weight } of sounds) {
    let first = 0
    let squared = vectors.squaredDistances(vector, 0, 0)
    for (const [i, num] of nums.entries()) {
      if (num >= first + squared.length) {
        first = Math.floor(num / SCANNED) * SCANNED
        squared = vectors.squaredDistances(vector, first, Math.min(SCANNED, vectors.length - first))
      }
      sums[i] = sums[i]! + (weight / total) * Math.exp(-estimatedDistance(squared[num - first]!))
    }
  }
  const { valence, energy } = room.track.library.read().columns
  for (const { mood, weight } of moods) {
    for (const [i, num] of nums.entries()) {
      const apart = moodDistance(mood, valence[num]!, energy[num]!)
      sums[i] = sums[i]! + (weight / total) * Math.exp(-apart)
    }
  }
  return total === 0 ? sums : sums.map((sum) => -Math.log(sum))
}

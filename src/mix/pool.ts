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
  // Loops in place of filter and map: they take half as long over a million tracks.
  const allowed = matchingTracks(room.track, where)
  let count = 0
  for (let i = 0; i < allowed.length; i++) {
    const num = allowed[i]!
    if (vectors.has(num) && !avoided.has(num)) allowed[count++] = num
  }
  return allowed.subarray(0, count)
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
    against: distancesFrom(room, allowed, less, -1),
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
  const order = new Float64Array(nums.length)
  for (let i = 0; i < nums.length; i++) {
    const drawn = adventurousness === 0 ? 0 : adventurousness * uniform(seed, 0, nums[i]!)
    order[i] = (1 - adventurousness) * fromSeeds[i]! + against[i]! + TYPICAL * drawn
  }
  const groups = groupsOf(nums, arc).filter(({ length }) => length > 0)
  const most = Math.ceil(SIZE / groups.length)
  const chosen = groups.flatMap((rows) => {
    const keys = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) keys[i] = order[rows[i]!]!
    return firstByKey(rows, keys, 0, most)
  })
  const kept = Int32Array.from(chosen).sort()
  return {
    nums: kept.map((place) => nums[place]!),
    fromSeeds: Float64Array.from(kept, (place) => fromSeeds[place]!),
    against: Float64Array.from(kept, (place) => against[place]!),
    isAll: false,
  }
}

/** The places of tracks, by the part of the arc's range in which they lie. */
function groupsOf(nums: Int32Array, arc: Arc): Int32Array[] {
  if (arc.isFlat) return [Int32Array.from({ length: nums.length }, (_, place) => place)]
  const groups = Array.from({ length: GROUPS }, () => new Int32Array(nums.length))
  const counts = new Int32Array(GROUPS)
  for (let place = 0; place < nums.length; place++) {
    const group = arc.groupOf(nums[place]!)
    groups[group]![counts[group]!++] = place
  }
  return groups.map((places, group) => places.subarray(0, counts[group]!))
}

/**
 * The estimated distance of each track from seeds: a soft minimum, -ln Σ w·exp(-d) of the weighted
 * distances; 0 from none.
 *
 * @param sign  -1: what is missing to a typical distance instead
 */
function distancesFrom(
  room: MixRoom,
  nums: Int32Array,
  { sounds, moods }: Seeds,
  sign: 1 | -1 = 1,
): Float64Array {
  const sums = new Float64Array(nums.length)
  const total = [...sounds, ...moods].reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return sums
  const vectors = room.track.space.vectors()
  for (const { vector, weight } of sounds) {
    let first = 0
    let squared = vectors.squaredDistances(vector, 0, 0)
    for (let i = 0; i < nums.length; i++) {
      const num = nums[i]!
      if (num >= first + squared.length) {
        first = Math.floor(num / SCANNED) * SCANNED
        squared = vectors.squaredDistances(vector, first, Math.min(SCANNED, vectors.length - first))
      }
      sums[i] = sums[i]! + (weight / total) * Math.exp(-estimatedDistance(squared[num - first]!))
    }
  }
  const { valence, energy } = room.track.library.read().columns
  for (const { mood, weight } of moods) {
    for (let i = 0; i < nums.length; i++) {
      const apart = moodDistance(mood, valence[nums[i]!]!, energy[nums[i]!]!)
      sums[i] = sums[i]! + (weight / total) * Math.exp(-apart)
    }
  }
  for (let i = 0; i < sums.length; i++) {
    const apart = -Math.log(sums[i]!)
    sums[i] = sign === 1 ? apart : TYPICAL - apart
  }
  return sums
}

import { estimatedDistance } from '../analysis/sound-vector.ts'
import { Smallest } from '../kernel/smallest.ts'
import { isMusicIn } from '../track/music.ts'
import { TYPICAL } from '../track/proximity.ts'
import { matchingTracks } from '../track/search-tracks.ts'
import { SCANNED } from '../track/vectors.ts'
import type { Arc } from './arc.ts'
import { isRecent, itemsOf, tracksOfItems } from './liking.ts'
import { moodDistance } from './moods.ts'
import { uniform } from './random.ts'
import type { MixRoom } from './room.ts'
import type { Seeds } from './seeds.ts'
import { estimateFrom } from './standing.ts'
import type { Wish } from './wish.ts'

/** Tracks from which a mix chooses. */
const SIZE = 2_000
/** How much what a mix is to keep away from counts beside its seeds, and how much skipped tracks do. */
const AWAY = { less: 2, skipped: 0.6 }

/** Tracks that a mix may play, with their distances from its seeds. */
export interface Pool {
  nums: Int32Array
  /** How far each is from the seeds, estimated. */
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

/**
 * The tracks that a mix may play, by ascending number: those that meet its conditions, and are not
 * to be avoided. What is no music only where nothing else is left, or the conditions ask for it.
 */
export function allowedTracks(
  room: MixRoom,
  { where, avoid }: Pick<Wish, 'where' | 'avoid'>,
): Int32Array {
  const vectors = room.track.space.vectors()
  const avoided = avoidedTracks(room, avoid)
  // Loops in place of filter and map, here and below: they take a fraction for a million tracks.
  const candidates = kept(
    matchingTracks(room.track, where),
    (num) => vectors.has(num) && !avoided.has(num),
  )
  const music = kept(candidates.slice(), isMusicIn(room.track.library.read().columns, where))
  const allowed = music.length > 0 ? music : candidates
  for (let i = 1; i < allowed.length; i++) if (allowed[i]! < allowed[i - 1]!) return allowed.sort()
  return allowed
}

/** The numbers that pass, moved to the front of the list. */
function kept(nums: Int32Array, passes: (num: number) => boolean): Int32Array {
  let count = 0
  for (let i = 0; i < nums.length; i++) if (passes(nums[i]!)) nums[count++] = nums[i]!
  return nums.subarray(0, count)
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

/** The pool of all tracks that are allowed, by distances. */
export function poolOf(room: MixRoom, nums: Int32Array, { seeds, less, skipped }: PoolWish): Pool {
  const fromSeeds = distancesFrom(room, nums, seeds)
  const total = Math.log(weightOf(seeds))
  if (weightOf(seeds) > 0)
    for (let i = 0; i < nums.length; i++) fromSeeds[i] = fromSeeds[i]! + total
  const against = new Float64Array(nums.length)
  for (const [away, weight] of [
    [less, AWAY.less],
    [skipped, AWAY.skipped],
  ] as const) {
    if (weightOf(away) === 0) continue
    const apart = distancesFrom(room, nums, away)
    for (let i = 0; i < nums.length; i++) against[i] = against[i]! + weight * (TYPICAL - apart[i]!)
  }
  return { nums, fromSeeds, against, isAll: true }
}

/**
 * A smaller pool: the tracks nearest to the seeds, or with more adventurousness ones drawn from
 * all. With an arc, as many from each part of its range.
 */
export function smallerPool(pool: Pool, { wish, seed, arc }: PoolWish): Pool {
  const { nums, fromSeeds, against } = pool
  if (nums.length <= SIZE) return pool
  const { adventurousness } = wish
  const most = Math.ceil(SIZE / arc.groups)
  const groups = Array.from({ length: arc.groups }, () => new Smallest(most))
  for (let place = 0; place < nums.length; place++) {
    const drawn = adventurousness === 0 ? 0 : adventurousness * uniform(seed, 0, nums[place]!)
    const near = (1 - adventurousness) * fromSeeds[place]! + against[place]!
    groups[arc.groupOf(nums[place]!)]!.add(place, near + TYPICAL * drawn)
  }
  const chosen = groups.flatMap((group) => group.rows())
  const kept = Int32Array.from(chosen).sort()
  return {
    nums: kept.map((place) => nums[place]!),
    fromSeeds: Float64Array.from(kept, (place) => fromSeeds[place]!),
    against: Float64Array.from(kept, (place) => against[place]!),
    isAll: false,
  }
}

/**
 * The same tracks by how far they are as neighbourhoods go. That takes a microsecond for each track
 * and seed, too long for a million.
 */
export function refinedPool(room: MixRoom, pool: Pool, { seeds, less, skipped }: PoolWish): Pool {
  const { nums } = pool
  const against = new Float64Array(nums.length)
  for (const [away, weight] of [
    [less, AWAY.less],
    [skipped, AWAY.skipped],
  ] as const) {
    if (weightOf(away) === 0) continue
    const apart = apartFrom(room, nums, away)
    // What is farther than any two tracks are is not better for it.
    for (let i = 0; i < nums.length; i++)
      against[i] = against[i]! + weight * Math.max(0, TYPICAL - apart[i]!)
  }
  return { ...pool, fromSeeds: apartFrom(room, nums, seeds), against }
}

/** How far each track is from seeds, as neighbourhoods go: a soft minimum; 0 from none. */
function apartFrom(room: MixRoom, nums: Int32Array, seeds: Seeds): Float64Array {
  const sums = new Float64Array(nums.length)
  const total = weightOf(seeds)
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

/** The sum of the weights of seeds. */
export function weightOf({ sounds, moods }: Seeds): number {
  return [...sounds, ...moods].reduce((sum, { weight }) => sum + weight, 0)
}

/**
 * The estimated distance of each track from seeds: a soft minimum, -ln Σ w·exp(-d), of the weighted
 * distances; 0 from none.
 */
function distancesFrom(room: MixRoom, nums: Int32Array, { sounds, moods }: Seeds): Float64Array {
  const found = new Float64Array(nums.length)
  if (sounds.length + moods.length === 0) return found
  const vectors = room.track.space.vectors()
  const isOne = sounds.length + moods.length === 1
  const count = isOne
    ? (i: number, apart: number, weight: number) => {
        // The same without exponentials, which take most of the time for a million tracks.
        found[i] = apart - Math.log(weight)
      }
    : (i: number, apart: number, weight: number) => {
        found[i] = found[i]! + weight * Math.exp(-apart)
      }
  for (const { vector, weight } of sounds) {
    let first = 0
    let squared = vectors.squaredDistances(vector, 0, 0)
    for (let i = 0; i < nums.length; i++) {
      const num = nums[i]!
      if (num >= first + squared.length) {
        first = Math.floor(num / SCANNED) * SCANNED
        squared = vectors.squaredDistances(vector, first, Math.min(SCANNED, vectors.length - first))
      }
      count(i, estimatedDistance(squared[num - first]!), weight)
    }
  }
  const { valence, energy } = room.track.library.read().columns
  for (const { mood, weight } of moods) {
    for (let i = 0; i < nums.length; i++) {
      count(i, moodDistance(mood, valence[nums[i]!]!, energy[nums[i]!]!), weight)
    }
  }
  if (!isOne) for (let i = 0; i < found.length; i++) found[i] = -Math.log(found[i]!)
  return found
}

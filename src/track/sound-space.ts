import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { Limiter } from '../kernel/limiter.ts'
import { inTurns } from '../kernel/scheduler.ts'
import { firstByKey, Smallest } from '../kernel/smallest.ts'
import type { Library } from './library-store.ts'
import { mutualProximity, spreadApartness } from './proximity.ts'
import { Spreads } from './spreads.ts'
import { ROWS_PER_SCAN, type TrackVectors } from './vectors.ts'

interface Neighbour {
  /** In the library. */
  num: number
  /** 0…1 */
  similarity: number
}

type IsWanted = (num: number) => boolean

/** The nearest are ranked by estimates: at least so many, and this share. */
const RANKED_VECTORS = { least: 800, share: 1 / 500 }
/** Those of them whose descriptors are compared. */
const COMPARED_DESCRIPTORS = { least: 200, share: 1 / 1_000 }
/** Ranked by similarity, or twice as many as are wanted. */
const MIN_RANKED = 32
/** Each takes 2 µs. */
const DISTANCES_PER_STEP = 400
/** Each takes up to 64 distances. */
const SPREADS_PER_STEP = 8

/**
 * Vectors in memory tell the nearest tracks; their descriptors, read from the database, tell the
 * distances.
 */
export class SoundSpace {
  readonly #library: Library
  /** Call {@link vectors} first. */
  readonly spreads: Spreads
  /** Searches share the memory of the scan. */
  readonly #turns = new Limiter(1)

  constructor(library: Library) {
    this.#library = library
    this.spreads = new Spreads(library)
  }

  vectors(): TrackVectors {
    this.#library.update()
    this.spreads.refresh()
    return this.#library.vectors
  }

  /**
   * Most alike first, without itself, twice as many as are wanted; `undefined` without a
   * descriptor.
   *
   * @throws the signal's reason when it aborts before the end
   */
  nearestTracks(
    num: number,
    count: number,
    { signal, isWanted }: { signal: AbortSignal; isWanted: IsWanted },
  ): Promise<Neighbour[] | undefined> {
    return this.#turns.run(signal, () => inTurns(this.#searchNearest(num, count, isWanted), signal))
  }

  *#searchNearest(
    num: number,
    count: number,
    isWanted: IsWanted,
  ): Generator<void, Neighbour[] | undefined> {
    const vector = this.vectors().vectorOf(num)
    const ownDescriptor = this.#library.descriptorOf(num)
    if (!vector || !ownDescriptor) return undefined
    const neighbours: { num: number; descriptor: Float32Array; distance: number; apart: number }[] =
      []
    const nums = yield* this.#estimateNearest(num, vector, isWanted)
    const estimate = this.spreads.estimatedOf(num)
    for (let start = 0; start < nums.length; start += DISTANCES_PER_STEP) {
      for (const [otherNum, descriptor] of this.#library.descriptorsOf([
        ...nums.subarray(start, start + DISTANCES_PER_STEP),
      ])) {
        const distance = soundDistance(ownDescriptor, 0, descriptor, 0)
        const apart = spreadApartness(distance, estimate, this.spreads.estimatedOf(otherNum))
        neighbours.push({ num: otherNum, descriptor, distance, apart })
      }
      yield
    }
    const spread = this.spreads.measuredOf(num, ownDescriptor)
    const ranked: (Neighbour & { apart: number })[] = []
    neighbours.sort((a, b) => a.apart - b.apart)
    for (const { num: otherNum, distance, descriptor } of neighbours.slice(
      0,
      Math.max(MIN_RANKED, 2 * count),
    )) {
      const otherSpread = this.spreads.measuredOf(otherNum, descriptor)
      const similarity = mutualProximity(distance, spread, otherSpread)
      ranked.push({
        num: otherNum,
        similarity,
        apart: spreadApartness(distance, spread, otherSpread),
      })
      if (ranked.length % SPREADS_PER_STEP === 0) yield
    }
    return ranked.sort((a, b) => a.apart - b.apart)
  }

  /** Ascending numbers, without the track itself. */
  *#estimateNearest(
    num: number,
    vector: Int8Array,
    isWanted: IsWanted,
  ): Generator<void, Int32Array> {
    const { vectors } = this.#library
    const length = vectors.refresh()
    const sizeOf = ({ least: minimum, share }: { least: number; share: number }) =>
      Math.max(minimum, Math.ceil(length * share))
    const smallest = new Smallest(sizeOf(RANKED_VECTORS))
    for (let start = 0; start < length; start += ROWS_PER_SCAN) {
      const sums = vectors.squaredDistances(vector, start, Math.min(ROWS_PER_SCAN, length - start))
      for (let i = 0; i < sums.length; i++) {
        if (sums[i]! >= smallest.bound || start + i === num) continue
        if (vectors.has(start + i) && isWanted(start + i)) smallest.add(start + i, sums[i]!)
      }
      yield
    }
    const nums = Int32Array.from(smallest.rows())
    const ownSpread = this.spreads.estimatedOf(num)
    const keys = Float64Array.from(nums, (otherNum) => {
      const distance = estimatedDistance(vectors.squaredDistance(otherNum, vector))
      return spreadApartness(distance, ownSpread, this.spreads.estimatedOf(otherNum))
    })
    // Neighbouring pages of the file are then read once.
    return Int32Array.from(firstByKey(nums, keys, 0, sizeOf(COMPARED_DESCRIPTORS))).sort()
  }
}

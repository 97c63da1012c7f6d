import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { Limiter } from '../kernel/limiter.ts'
import { inTurns } from '../kernel/scheduler.ts'
import { firstByKey, Smallest } from '../kernel/smallest.ts'
import type { Library } from './library-store.ts'
import { apartness, mutualProximity } from './proximity.ts'
import { Spreads } from './spreads.ts'
import { SCANNED, type Vectors } from './vectors.ts'

/** A track that sounds like another one. */
interface Neighbour {
  /** Its number in the library. */
  num: number
  /** 0…1 */
  similarity: number
}

/** Which tracks may be neighbours. */
type IsWanted = (num: number) => boolean

/** How many vectors are ranked by estimates: those of the nearest, at least so many and this share. */
const NEAREST = { least: 800, share: 1 / 500 }
/** How many of their descriptors are compared. */
const COMPARED = { least: 200, share: 1 / 1_000 }
/** This many nearest tracks are ranked by similarity, or twice as many as are wanted. */
const RANKED = 32
/** Distances computed in one step; each takes 2 µs. */
const PACE = 400
/** Spreads computed in one step; each takes up to 64 distances. */
const SPREAD_PACE = 8

/**
 * How the tracks of the library sound, compared in two steps: vectors, 48 bytes for each track,
 * tell the nearest; the descriptors of these, read from the database, tell their distances.
 * Similarity is {@link mutualProximity}.
 */
export class SoundSpace {
  readonly #library: Library
  /** How far each track is from the others. Call {@link vectors} first. */
  readonly spreads: Spreads
  /** One search at a time, as they share the memory of the scan. */
  readonly #turns = new Limiter(1)

  constructor(library: Library) {
    this.#library = library
    this.spreads = new Spreads(library)
  }

  /** The vectors of all tracks, up to date. */
  vectors(): Vectors {
    this.#library.update()
    this.spreads.refresh()
    return this.#library.vectors
  }

  /**
   * The tracks that sound most like one, most alike first, without itself: twice as many as are
   * wanted; `undefined` when that one has no descriptor.
   *
   * @throws the signal's reason when it aborts before the end
   */
  nearest(
    num: number,
    wanted: number,
    { signal, isWanted }: { signal: AbortSignal; isWanted: IsWanted },
  ): Promise<Neighbour[] | undefined> {
    return this.#turns.run(signal, () => inTurns(this.#searching(num, wanted, isWanted), signal))
  }

  *#searching(
    num: number,
    wanted: number,
    isWanted: IsWanted,
  ): Generator<void, Neighbour[] | undefined> {
    const vector = this.vectors().of(num)
    const own = this.#library.descriptorOf(num)
    if (!vector || !own) return undefined
    const near: { num: number; descriptor: Float32Array; distance: number; apart: number }[] = []
    const nums = yield* this.#near(num, vector, isWanted)
    const estimate = this.spreads.estimatedOf(num)
    for (let start = 0; start < nums.length; start += PACE) {
      for (const [other, descriptor] of this.#library.descriptorsOf([
        ...nums.subarray(start, start + PACE),
      ])) {
        const distance = soundDistance(own, 0, descriptor, 0)
        const apart = apartness(distance, estimate, this.spreads.estimatedOf(other))
        near.push({ num: other, descriptor, distance, apart })
      }
      yield
    }
    const spread = this.spreads.of(num, own)
    const ranked: (Neighbour & { apart: number })[] = []
    near.sort((a, b) => a.apart - b.apart)
    for (const { num: other, distance, descriptor } of near.slice(
      0,
      Math.max(RANKED, 2 * wanted),
    )) {
      const theirs = this.spreads.of(other, descriptor)
      const similarity = mutualProximity(distance, spread, theirs)
      ranked.push({ num: other, similarity, apart: apartness(distance, spread, theirs) })
      if (ranked.length % SPREAD_PACE === 0) yield
    }
    return ranked.sort((a, b) => a.apart - b.apart)
  }

  /** The numbers of the tracks that are estimated to be nearest, ascending, without the track itself. */
  *#near(num: number, vector: Int8Array, isWanted: IsWanted): Generator<void, Int32Array> {
    const { vectors } = this.#library
    const length = vectors.refresh()
    const sized = ({ least, share }: { least: number; share: number }) =>
      Math.max(least, Math.ceil(length * share))
    const first = new Smallest(sized(NEAREST))
    for (let start = 0; start < length; start += SCANNED) {
      const sums = vectors.squaredDistances(vector, start, Math.min(SCANNED, length - start))
      for (let i = 0; i < sums.length; i++) {
        if (sums[i]! >= first.bound || start + i === num) continue
        if (vectors.has(start + i) && isWanted(start + i)) first.add(start + i, sums[i]!)
      }
      yield
    }
    const nums = Int32Array.from(first.rows())
    const own = this.spreads.estimatedOf(num)
    const keys = Float64Array.from(nums, (other) => {
      const distance = estimatedDistance(vectors.squaredDistance(other, vector))
      return apartness(distance, own, this.spreads.estimatedOf(other))
    })
    // Pages that are neighbours in the file are then read once.
    return Int32Array.from(firstByKey(nums, keys, 0, sized(COMPARED))).sort()
  }
}

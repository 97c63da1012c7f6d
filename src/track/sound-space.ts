import { soundDistance } from '../analysis/sound-distance.ts'
import { Limiter } from '../kernel/limiter.ts'
import { inTurns } from '../kernel/scheduler.ts'
import { Smallest } from '../kernel/smallest.ts'
import type { Library } from './library-store.ts'
import { SCANNED, type Vectors } from './vectors.ts'

/** A track that sounds like another one. */
interface Neighbour {
  /** Its number in the library. */
  num: number
  /** 0…1 */
  similarity: number
}

/** How many descriptors are compared: those of the nearest vectors, at least so many and this share. */
const COMPARED = { least: 200, share: 1 / 1_000 }
/** This many nearest tracks are ranked by similarity, or twice as many as are wanted. */
const RANKED = 50
/** The number of tracks that represent the library when a track's distance from all is estimated. */
const REFERENCES = 32
/** Distances computed in one step; each takes 2 µs. */
const PACE = 400
/** Distances in mixed music, and the number of measured tracks that they count as. */
const PRIOR = { mean: 10.3, deviation: 2, weight: 10 }

/** A track's distances from others. */
interface Spread {
  mean: number
  deviation: number
}

/**
 * How the tracks of the library sound, compared in two steps: vectors, 48 bytes for each track,
 * tell the nearest; the descriptors of these, read from the database, tell their distances.
 *
 * Similarity is mutual proximity: the chance that a track of the library is farther from the one
 * than they are from each other, times the same for the other, by normal distributions. So a track
 * that is near to everything is not in every answer, and an unusual one has neighbours too. See
 * Schnitzer, Flexer, Schedl, Widmer, "Local and global scaling reduce hubs in space" (JMLR 13, 2012).
 */
export class SoundSpace {
  readonly #library: Library
  #references: { nums: string; descriptors: readonly Float32Array[] } = {
    nums: '',
    descriptors: [],
  }
  /** The spreads that are known, by number: mean, deviation, and the sum of the vector they hold for. */
  #spreads = new Float32Array(0)
  /** One search at a time, as they share the references. */
  readonly #turns = new Limiter(1)

  constructor(library: Library) {
    this.#library = library
  }

  /** The vectors of all tracks, up to date. */
  vectors(): Vectors {
    this.#library.update()
    this.#library.vectors.refresh()
    return this.#library.vectors
  }

  /**
   * The tracks that sound most like one, most alike first, without itself: twice as many as are
   * wanted; `undefined` when that one has no descriptor.
   *
   * @throws the signal's reason when it aborts before the end
   */
  nearest(num: number, wanted: number, signal: AbortSignal): Promise<Neighbour[] | undefined> {
    return this.#turns.run(signal, () => inTurns(this.#searching(num, wanted), signal))
  }

  *#searching(num: number, wanted: number): Generator<void, Neighbour[] | undefined> {
    const vector = this.vectors().of(num)
    const own = this.#library.descriptorOf(num)
    if (!vector || !own) return undefined
    const near: { num: number; descriptor: Float32Array; apart: number }[] = []
    const nums = yield* this.#near(vector)
    for (let start = 0; start < nums.length; start += PACE) {
      for (const [other, descriptor] of this.#library.descriptorsOf([
        ...nums.subarray(start, start + PACE),
      ])) {
        if (other !== num) near.push({ num: other, descriptor, apart: distance(own, descriptor) })
      }
      yield
    }
    this.#chooseReferences()
    const spread = this.#spreadOf(num, own)
    const ranked: Neighbour[] = []
    near.sort((a, b) => a.apart - b.apart)
    for (const other of near.slice(0, Math.max(RANKED, 2 * wanted))) {
      const theirs = this.#spreadOf(other.num, other.descriptor)
      const similarity = fartherShare(other.apart, spread) * fartherShare(other.apart, theirs)
      ranked.push({ num: other.num, similarity })
      if (ranked.length % Math.floor(PACE / REFERENCES) === 0) yield
    }
    return ranked.sort((a, b) => b.similarity - a.similarity)
  }

  /** The numbers of the tracks with the nearest vectors, ascending. */
  *#near(vector: Int8Array): Generator<void, Int32Array> {
    const { vectors } = this.#library
    const length = vectors.refresh()
    const compared = Math.max(COMPARED.least, Math.ceil(length * COMPARED.share))
    const first = new Smallest(compared)
    for (let start = 0; start < length; start += SCANNED) {
      const sums = vectors.squaredDistances(vector, start, Math.min(SCANNED, length - start))
      // Tracks without a vector have no descriptor either, and drop out when these are read.
      for (let i = 0; i < sums.length; i++) first.add(start + i, sums[i]!)
      yield
    }
    // Pages that are neighbours in the file are then read once.
    return Int32Array.from(first.rows()).sort()
  }

  /**
   * Chooses tracks that represent the library, evenly apart by their numbers: all processes choose
   * the same. Where they are others than before, no spread is known.
   */
  #chooseReferences(): void {
    const { vectors } = this.#library
    const length = vectors.refresh()
    let end = length
    while (end > 0 && !vectors.has(end - 1)) end--
    const nums: number[] = []
    for (let k = 0; k < REFERENCES; k++) {
      const next = Math.floor(((k + 1) * end) / REFERENCES)
      let num = Math.floor((k * end) / REFERENCES)
      while (num < next && !vectors.has(num)) num++
      if (num < next) nums.push(num)
    }
    if (nums.join() !== this.#references.nums) {
      this.#references = {
        nums: nums.join(),
        descriptors: [...this.#library.descriptorsOf(nums).values()],
      }
      this.#spreads = new Float32Array(3 * length)
    }
  }

  #spreadOf(num: number, descriptor: Float32Array): Spread {
    const sums = this.#library.vectors.of(num)!.reduce((sum, value, k) => sum + value * (k + 1), 0)
    const [mean, deviation, held] = this.#spreads.subarray(3 * num, 3 * num + 3)
    if (mean! > 0 && held === sums) return { mean: mean!, deviation: deviation! }
    let weight = PRIOR.weight
    let sum = PRIOR.weight * PRIOR.mean
    let squares = PRIOR.weight * (PRIOR.mean ** 2 + PRIOR.deviation ** 2)
    for (const reference of this.#references.descriptors) {
      const apart = distance(descriptor, reference)
      // The track itself is no other track.
      if (apart === 0) continue
      weight++
      sum += apart
      squares += apart ** 2
    }
    const found = {
      mean: sum / weight,
      deviation: Math.sqrt(squares / weight - (sum / weight) ** 2),
    }
    this.#spreads.set([found.mean, found.deviation, sums], 3 * num)
    return found
  }
}

function distance(one: Float32Array, other: Float32Array): number {
  return soundDistance(one, 0, other, 0)
}

/** The share of a normal distribution above a value (Abramowitz & Stegun 7.1.26, to 1e-7). */
function fartherShare(value: number, { mean, deviation }: Spread): number {
  const z = (value - mean) / deviation / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * Math.abs(z))
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const tail = (poly * Math.exp(-z * z)) / 2
  return z < 0 ? 1 - tail : tail
}

import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { firstByKey } from '../song/search.ts'
import type { Library } from './library-store.ts'
import { SCANNED, type Vectors } from './vectors.ts'

/** A track that sounds like another one. */
export interface Neighbour {
  /** Its number in the library. */
  num: number
  /** As {@link soundDistance} computes it. */
  distance: number
  /** 0…1 */
  similarity: number
}

/**
 * The tracks nearest by their vectors whose descriptors are compared: so many, or this share of a
 * larger library.
 */
const COMPARED = Object.freeze({ least: 1_000, share: 1 / 400 })
/** Of those compared, so many are ranked by similarity. */
const RANKED = 200
/** Descriptors compared in one step; each takes some microseconds. */
const PACE = 200
/** The number of tracks that represent the library when a track's distance from all is estimated. */
const REFERENCES = 128
/** Distances in mixed music, and the number of measured tracks that they count as. */
const PRIOR = Object.freeze({ mean: 10.3, deviation: 2, weight: 10 })

/** A track's distances from others. */
interface Spread {
  mean: number
  deviation: number
}

/**
 * How the tracks of the library sound, compared in two steps: the vectors of all tracks, 48 bytes
 * each, choose the nearest; their descriptors, read from the database, give the distances.
 *
 * Similarity is mutual proximity: the chance that a track of the library is farther from the one
 * than they are from each other, times the same for the other, by normal distributions. So a track
 * that is near to everything is not in every answer, and an unusual one has neighbours too. See
 * Schnitzer, Flexer, Schedl, Widmer, "Local and global scaling reduce hubs in space" (JMLR 13, 2012).
 * The distributions are estimated from vectors.
 */
export class SoundSpace {
  readonly #library: Library

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
   * The tracks that sound most like one, most alike first, without itself; `undefined` when that
   * one has no descriptor. In steps of a millisecond or two.
   */
  *nearest(num: number): Generator<void, Neighbour[] | undefined> {
    const vectors = this.vectors()
    const own = vectors.of(num)
    const descriptor = this.#library.descriptorOf(num)
    if (!own || !descriptor) return undefined
    const references = referencesIn(vectors)
    const spread = spreadOf(own, references)
    const found: Neighbour[] = []
    for (const [i, other] of (yield* this.#near(own)).entries()) {
      if (i % PACE === PACE - 1) yield
      const theirs = other === num ? undefined : this.#library.descriptorOf(other)
      if (!theirs) continue
      found.push({ num: other, distance: soundDistance(descriptor, 0, theirs, 0), similarity: 0 })
    }
    const ranked = found.sort((a, b) => a.distance - b.distance).slice(0, RANKED)
    for (const [i, neighbour] of ranked.entries()) {
      if (i % PACE === PACE - 1) yield
      const { num: other, distance } = neighbour
      const vector = vectors.of(other)
      if (!vector) continue
      neighbour.similarity =
        fartherShare(distance, spread) * fartherShare(distance, spreadOf(vector, references))
    }
    return ranked.sort((a, b) => b.similarity - a.similarity)
  }

  /** The numbers of the tracks with the nearest vectors, nearest first. */
  *#near(vector: Int8Array): Generator<void, number[]> {
    const vectors = this.vectors()
    const length = vectors.refresh()
    const rows = new Int32Array(length)
    const keys = new Float64Array(length)
    let count = 0
    for (let first = 0; first < length; first += SCANNED) {
      const sums = vectors.squaredDistances(vector, first, Math.min(SCANNED, length - first))
      for (let i = 0; i < sums.length; i++) {
        if (!vectors.has(first + i)) continue
        rows[count] = first + i
        keys[count++] = sums[i]!
      }
      yield
    }
    const compared = Math.max(COMPARED.least, Math.ceil(count * COMPARED.share))
    return firstByKey(rows.subarray(0, count), keys.subarray(0, count), 0, compared)
  }
}

/** The vectors of tracks that represent the library: all, or some evenly apart. */
function referencesIn(vectors: Vectors): Int8Array[] {
  let length = vectors.refresh()
  while (length > 0 && !vectors.has(length - 1)) length--
  const found: Int8Array[] = []
  for (let k = 0; k < REFERENCES; k++) {
    const end = Math.floor(((k + 1) * length) / REFERENCES)
    let num = Math.floor((k * length) / REFERENCES)
    while (num < end && !vectors.has(num)) num++
    if (num < end) found.push(vectors.of(num)!)
  }
  return found
}

function spreadOf(vector: Int8Array, references: readonly Int8Array[]): Spread {
  let weight = PRIOR.weight as number
  let sum = PRIOR.weight * PRIOR.mean
  let squares = PRIOR.weight * (PRIOR.mean ** 2 + PRIOR.deviation ** 2)
  for (const reference of references) {
    const squared = squaredDistance(vector, reference)
    // The track itself, or a copy of it.
    if (squared === 0) continue
    const apart = estimatedDistance(squared)
    weight++
    sum += apart
    squares += apart ** 2
  }
  const mean = sum / weight
  return { mean, deviation: Math.sqrt(squares / weight - mean ** 2) }
}

function squaredDistance(one: Int8Array, other: Int8Array): number {
  let sum = 0
  for (let k = 0; k < one.length; k++) sum += (one[k]! - other[k]!) ** 2
  return sum
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

import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import type { Library } from './library-store.ts'
import { isMusicIn } from './music.ts'
import type { Spread } from './proximity.ts'
import { VectorMoments } from './vector-moments.ts'
import type { Vectors } from './vectors.ts'

/** Fewer tracks of music do not represent the library. */
const FEWEST = 8
/** The least number of tracks that represent the library, where it has so many; at most twice as many. */
const REFERENCES = 48
/** The same for estimates by vectors, which cost less. */
const SAMPLED = 768
/** Distances in mixed music, and the number of measured tracks that they count as. */
const PRIOR = { mean: 11, deviation: 1.7, weight: 2 }

/**
 * How far each track is from the library, kept with its vector until the tracks that represent the
 * library are others: by the descriptors of some, or for many tracks at once by estimates.
 */
export class Spreads {
  readonly #library: Library
  #revision = -1
  #references: { nums: string; descriptors: readonly Float32Array[] } = {
    nums: '',
    descriptors: [],
  }
  #sample: { nums: string; moments: VectorMoments } | undefined
  /** By number: mean, deviation, and the sum of the vector they hold for. */
  #measured = new Float32Array(0)
  #estimated = new Float32Array(0)

  constructor(library: Library) {
    this.#library = library
  }

  /** Chooses the tracks that represent the library. Call it before the others, and when it changed. */
  refresh(): void {
    const { vectors } = this.#library
    const length = vectors.refresh()
    if (vectors.revision === this.#revision) return
    this.#revision = vectors.revision
    // What music is near to is told by music, not by the effects and speeches of the library.
    const isMusic = isMusicIn(this.#library.read().columns)
    const nums = representing(vectors, REFERENCES, isMusic)
    const key = keyOf(nums, vectors)
    if (key !== this.#references.nums) {
      const descriptors = [...this.#library.descriptorsOf(nums).values()]
      this.#references = { nums: key, descriptors }
      this.#measured = new Float32Array(0)
    }
    const sampled = representing(vectors, SAMPLED, isMusic)
    const sampleKey = keyOf(sampled, vectors)
    if (sampleKey !== this.#sample?.nums) {
      const rows = sampled.map((num) => vectors.of(num)!)
      this.#sample = { nums: sampleKey, moments: new VectorMoments(rows) }
      this.#estimated = new Float32Array(0)
    }
    this.#measured = grown(this.#measured, 3 * length)
    this.#estimated = grown(this.#estimated, 3 * length)
  }

  /** A track's distances from the others, by descriptors. */
  of(num: number, descriptor: Float32Array): Spread {
    return this.#kept(this.#measured, num, () => {
      let [count, sum, squares] = [0, 0, 0]
      for (const reference of this.#references.descriptors) {
        const apart = soundDistance(descriptor, 0, reference, 0)
        // The track itself is no other track.
        if (apart === 0) continue
        count++
        sum += apart
        squares += apart ** 2
      }
      return spreadOf(count, sum, squares)
    })
  }

  /** The same, estimated by vectors: in the unit of {@link estimatedDistance}. */
  estimatedOf(num: number): Spread {
    return this.#kept(this.#estimated, num, () => {
      const { moments } = this.#sample!
      const { mean, variance } = moments.squaredDistances(this.#library.vectors.of(num)!)
      // The moments of a root, by its Taylor series.
      const root = Math.sqrt(Math.max(mean, 1))
      const middle = root - variance / (8 * root ** 3)
      const deviation = Math.sqrt(variance) / (2 * root)
      const at = estimatedDistance(Math.max(0, middle) ** 2)
      const unit = estimatedDistance(1) - estimatedDistance(0)
      const square = at ** 2 + (unit * deviation) ** 2
      return spreadOf(moments.count, moments.count * at, moments.count * square)
    })
  }

  #kept(table: Float32Array, num: number, measure: () => Spread): Spread {
    const sums = this.#library.vectors.checksum(num)
    const at = 3 * num
    if (table[at]! > 0 && table[at + 2] === sums)
      return { mean: table[at]!, deviation: table[at + 1]! }
    const spread = measure()
    table[at] = spread.mean
    table[at + 1] = spread.deviation
    table[at + 2] = sums
    // As they are kept, so that a spread is the same the first time and later.
    return { mean: table[at]!, deviation: table[at + 1]! }
  }
}

function spreadOf(count: number, sum: number, squares: number): Spread {
  const weight = count + PRIOR.weight
  const mean = (sum + PRIOR.weight * PRIOR.mean) / weight
  const square =
    (squares + PRIOR.weight * (PRIOR.mean ** 2 + PRIOR.deviation ** 2)) / weight - mean ** 2
  return { mean, deviation: Math.sqrt(Math.max(square, 0.01)) }
}

/** Numbers of tracks of music that represent the library; of any tracks where there is no music. */
function representing(
  vectors: Vectors,
  least: number,
  isMusic: (num: number) => boolean,
): number[] {
  const music = evenly(vectors, least, isMusic)
  return music.length < FEWEST ? evenly(vectors, least, () => true) : music
}

/**
 * Numbers of tracks evenly apart, at least so many where there are so many. The step is a power of
 * two, so that a track that is added seldom changes them: all processes choose the same.
 */
function evenly(vectors: Vectors, least: number, isWanted: (num: number) => boolean): number[] {
  const isChosen = (num: number) => vectors.has(num) && isWanted(num)
  let end = vectors.length
  while (end > 0 && !vectors.has(end - 1)) end--
  const step = 2 ** Math.max(0, Math.floor(Math.log2(end / least)))
  const nums: number[] = []
  for (let start = 0; start < end; start += step) {
    const next = Math.min(start + step, end)
    let num = start
    while (num < next && !isChosen(num)) num++
    if (num < next) nums.push(num)
  }
  return nums
}

function keyOf(nums: readonly number[], vectors: Vectors): string {
  return nums.map((num) => `${num}:${vectors.checksum(num)}`).join()
}

function grown(table: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (table.length >= length) return table
  const larger = new Float32Array(Math.ceil(1.25 * length))
  larger.set(table)
  return larger
}

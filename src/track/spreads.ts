import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import type { Library } from './library-store.ts'
import { isMusicIn } from './music.ts'
import type { Spread } from './proximity.ts'
import { VectorMoments } from './vector-moments.ts'
import type { TrackVectors } from './vectors.ts'

/** Fewer tracks of music do not represent the library. */
const MIN_MUSIC = 8
/** Tracks that represent the library, where it has so many. */
const MIN_REFERENCES = 48
/** For estimates by vectors, which cost less. */
const MIN_SAMPLE = 768
/** In mixed music; it counts as this many measured tracks. */
const PRIOR_SPREAD = { mean: 11, deviation: 1.7, weight: 2 }

/**
 * How far each track is from those that represent the library, kept until these or its vector
 * change.
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

  /** Call it before the others, and when the library changed. */
  refresh(): void {
    const { vectors } = this.#library
    const length = vectors.refresh()
    if (vectors.revision === this.#revision) return
    this.#revision = vectors.revision
    // Effects and speeches of the library would tell nothing of music.
    const isMusic = isMusicIn(this.#library.read().columns)
    const nums = listRepresentatives(vectors, MIN_REFERENCES, isMusic)
    const key = vectorsKey(nums, vectors)
    if (key !== this.#references.nums) {
      const descriptors = [...this.#library.descriptorsOf(nums).values()]
      this.#references = { nums: key, descriptors }
      this.#measured = new Float32Array(0)
    }
    const sampled = listRepresentatives(vectors, MIN_SAMPLE, isMusic)
    const sampleKey = vectorsKey(sampled, vectors)
    if (sampleKey !== this.#sample?.nums) {
      const rows = sampled.map((num) => vectors.vectorOf(num)!)
      this.#sample = { nums: sampleKey, moments: new VectorMoments(rows) }
      this.#estimated = new Float32Array(0)
    }
    this.#measured = enlargeTable(this.#measured, 3 * length)
    this.#estimated = enlargeTable(this.#estimated, 3 * length)
  }

  /** By descriptors. */
  measuredOf(num: number, descriptor: Float32Array): Spread {
    return this.#keepSpread(this.#measured, num, () => {
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

  /** By vectors, in the unit of {@link estimatedDistance}. */
  estimatedOf(num: number): Spread {
    return this.#keepSpread(this.#estimated, num, () => {
      const { moments } = this.#sample!
      const { mean, variance } = moments.distanceMoments(this.#library.vectors.vectorOf(num)!)
      // The moments of a root, by its Taylor series.
      const root = Math.sqrt(Math.max(mean, 1))
      const middle = root - variance / (8 * root ** 3)
      const deviation = Math.sqrt(variance) / (2 * root)
      const distance = estimatedDistance(Math.max(0, middle) ** 2)
      const unit = estimatedDistance(1) - estimatedDistance(0)
      const square = distance ** 2 + (unit * deviation) ** 2
      return spreadOf(moments.count, moments.count * distance, moments.count * square)
    })
  }

  #keepSpread(table: Float32Array, num: number, measure: () => Spread): Spread {
    const sums = this.#library.vectors.checksumOf(num)
    const place = 3 * num
    if (table[place]! > 0 && table[place + 2] === sums)
      return { mean: table[place]!, deviation: table[place + 1]! }
    const spread = measure()
    table[place] = spread.mean
    table[place + 1] = spread.deviation
    table[place + 2] = sums
    // As stored in 32 bits, so that a spread is the same the first time and later.
    return { mean: table[place]!, deviation: table[place + 1]! }
  }
}

function spreadOf(count: number, sum: number, squares: number): Spread {
  const weight = count + PRIOR_SPREAD.weight
  const mean = (sum + PRIOR_SPREAD.weight * PRIOR_SPREAD.mean) / weight
  const square =
    (squares + PRIOR_SPREAD.weight * (PRIOR_SPREAD.mean ** 2 + PRIOR_SPREAD.deviation ** 2)) /
      weight -
    mean ** 2
  return { mean, deviation: Math.sqrt(Math.max(square, 0.01)) }
}

/** Of any tracks where there is too little music. */
function listRepresentatives(
  vectors: TrackVectors,
  minimum: number,
  isMusic: (num: number) => boolean,
): number[] {
  const music = spacedTracks(vectors, minimum, isMusic)
  return music.length < MIN_MUSIC ? spacedTracks(vectors, minimum, () => true) : music
}

/**
 * The step is a power of two, so that an added track seldom changes them: all processes choose the
 * same.
 */
function spacedTracks(
  vectors: TrackVectors,
  minimum: number,
  isWanted: (num: number) => boolean,
): number[] {
  const isChosen = (num: number) => vectors.has(num) && isWanted(num)
  let end = vectors.length
  while (end > 0 && !vectors.has(end - 1)) end--
  const step = 2 ** Math.max(0, Math.floor(Math.log2(end / minimum)))
  const nums: number[] = []
  for (let start = 0; start < end; start += step) {
    const next = Math.min(start + step, end)
    let num = start
    while (num < next && !isChosen(num)) num++
    if (num < next) nums.push(num)
  }
  return nums
}

function vectorsKey(nums: readonly number[], vectors: TrackVectors): string {
  return nums.map((num) => `${num}:${vectors.checksumOf(num)}`).join()
}

function enlargeTable(table: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (table.length >= length) return table
  const larger = new Float32Array(Math.ceil(1.25 * length))
  larger.set(table)
  return larger
}

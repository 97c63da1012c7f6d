import { DESCRIPTOR_LENGTH } from '../analysis/descriptor.ts'
import { soundDistance } from '../analysis/sound-distance.ts'
import { inTurns } from '../kernel/scheduler.ts'
import type { AnalysisStore, DescriptorRow } from './analysis-store.ts'

/** A track that sounds like another one. */
interface Neighbour {
  trackId: string
  /** 0…1 */
  similarity: number
}

/** Tracks whose descriptors are in one array. */
const BLOCK = 512
/** Rows read at a time. */
const PAGE = 256
const ID_PAGE = 5_000
/** Distances between two steps: each takes 2 µs. */
const PACE = 1_000
/** The number of tracks that represent the library when a track's distance from all is estimated. */
const REFERENCES = 128
/** This many nearest tracks are ranked by similarity; farther ones are left out. */
const NEAREST = 1_000
/** Distances between assorted music, and how many measured tracks they count as. */
const PRIOR = Object.freeze({ mean: 10.3, deviation: 2, weight: 10 })

/** A track's distances from others. */
interface Spread {
  mean: number
  deviation: number
}

/**
 * The descriptors of all tracks, in memory: 1.1 kB each. It follows the database, also where another
 * process writes.
 *
 * Similarity is mutual proximity: the chance that a track of the library is farther from the one
 * than they are from each other, times the same for the other, by normal distributions. So a track
 * that is near to everything is not in every answer, and an unusual one has neighbours too. See
 * Schnitzer, Flexer, Schedl, Widmer, "Local and global scaling reduce hubs in space" (JMLR 13, 2012).
 * With it 63 % of the five nearest are of the same album; without it 57 % (165 tracks of 7 albums).
 */
export class SoundSpace {
  readonly #store: AnalysisStore
  readonly #blocks: Float32Array[] = []
  readonly #trackIds: string[] = []
  /** Ids of the rows: they show which have changed. */
  readonly #rows: number[] = []
  readonly #places = new Map<string, number>()
  #last = 0
  /** Whether tracks have come or gone since the references were chosen. */
  #changed = false
  #references: string[] = []
  readonly #spreads = new Map<string, Spread>()
  #turn: Promise<void> = Promise.resolve()

  constructor(store: AnalysisStore) {
    this.#store = store
  }

  /**
   * The tracks that sound most like one, most alike first; `undefined` when that one has no
   * descriptor.
   *
   * @throws the signal's reason when it aborts before the end
   */
  async nearest(trackId: string, signal: AbortSignal): Promise<Neighbour[] | undefined> {
    // One at a time: a search reads what the next one's refresh changes.
    const before = this.#turn
    let done = () => {}
    this.#turn = new Promise((resolve) => {
      done = resolve
    })
    try {
      await before
      await inTurns(this.#refreshing(), signal)
      const place = this.#places.get(trackId)
      return place === undefined ? undefined : await inTurns(this.#searching(place), signal)
    } finally {
      done()
    }
  }

  *#refreshing(): Generator<void> {
    if (this.#store.countSounds().last > this.#last) yield* this.#reading()
    if (this.#store.countSounds().count !== this.#rows.length) yield* this.#dropping()
    if (this.#changed) this.#chooseReferences()
  }

  *#reading(): Generator<void> {
    for (;;) {
      const rows = this.#store.descriptors(this.#last, PAGE)
      for (const row of rows) this.#put(row)
      yield
      if (rows.length < PAGE) return
    }
  }

  /** Removes the tracks that are gone. */
  *#dropping(): Generator<void> {
    const present = new Set<number>()
    for (let after = 0; ; ) {
      const ids = this.#store.soundIds(after, ID_PAGE)
      for (const id of ids) present.add(id)
      yield
      const last = ids.at(-1)
      if (last === undefined) break
      after = last
    }
    for (let place = this.#rows.length - 1; place >= 0; place--) {
      if (place % ID_PAGE === 0) yield
      if (!present.has(this.#rows[place]!)) this.#drop(place)
    }
  }

  #put({ id, trackId, descriptor }: DescriptorRow): void {
    this.#last = id
    const place = this.#places.get(trackId) ?? this.#trackIds.length
    const block = Math.floor(place / BLOCK)
    this.#blocks[block] ??= new Float32Array(BLOCK * DESCRIPTOR_LENGTH)
    this.#blocks[block].set(storedDescriptor(descriptor).subarray(0, DESCRIPTOR_LENGTH), at(place))
    this.#trackIds[place] = trackId
    this.#rows[place] = id
    this.#places.set(trackId, place)
    this.#forget(trackId)
  }

  /** Removes a track; the last one takes its place. */
  #drop(place: number): void {
    const last = this.#trackIds.length - 1
    const moved = this.#trackIds[last]!
    const numbers = this.#block(last).subarray(at(last), at(last) + DESCRIPTOR_LENGTH)
    this.#places.delete(this.#trackIds[place]!)
    this.#forget(this.#trackIds[place]!)
    if (place !== last) {
      this.#block(place).set(numbers, at(place))
      this.#trackIds[place] = moved
      this.#rows[place] = this.#rows[last]!
      this.#places.set(moved, place)
    }
    this.#trackIds.length = last
    this.#rows.length = last
  }

  /** Forgets what was computed from a track's descriptor. */
  #forget(trackId: string): void {
    this.#changed = true
    this.#spreads.delete(trackId)
    if (this.#references.includes(trackId)) this.#references = []
  }

  #block(place: number): Float32Array {
    return this.#blocks[Math.floor(place / BLOCK)]!
  }

  #distance(one: number, other: number): number {
    return soundDistance(this.#block(one), at(one), this.#block(other), at(other))
  }

  /** Chooses the tracks with the least hashes: every process chooses the same, and few change. */
  #chooseReferences(): void {
    const ranked: { id: string; hash: number }[] = []
    for (const id of this.#trackIds) {
      const hash = hashOf(id)
      if (ranked.length === REFERENCES && hash >= ranked[REFERENCES - 1]!.hash) continue
      let to = ranked.length
      while (to > 0 && ranked[to - 1]!.hash > hash) to--
      ranked.splice(to, 0, { id, hash })
      if (ranked.length > REFERENCES) ranked.pop()
    }
    const chosen = ranked.map(({ id }) => id)
    if (chosen.join() !== this.#references.join()) this.#spreads.clear()
    this.#references = chosen
    this.#changed = false
  }

  *#searching(place: number): Generator<void, Neighbour[]> {
    const distances = new Float32Array(this.#trackIds.length)
    for (let other = 0; other < distances.length; other++) {
      if (other % PACE === PACE - 1) yield
      distances[other] = other === place ? Number.POSITIVE_INFINITY : this.#distance(place, other)
    }
    yield
    const least = distances.slice().sort()
    const farthest = least[Math.min(NEAREST, distances.length - 1) - 1] ?? 0
    yield
    const own = this.#spreadOf(place)
    const found: Neighbour[] = []
    for (let other = 0; other < distances.length; other++) {
      const distance = distances[other]!
      if (distance > farthest) continue
      const theirs = this.#spreadOf(other)
      found.push({
        trackId: this.#trackIds[other]!,
        similarity: fartherShare(distance, own) * fartherShare(distance, theirs),
      })
      // A track's spread takes as long as REFERENCES distances.
      if (found.length % Math.floor(PACE / REFERENCES) === 0) yield
    }
    return found.sort((a, b) => b.similarity - a.similarity)
  }

  #spreadOf(place: number): Spread {
    const trackId = this.#trackIds[place]!
    const known = this.#spreads.get(trackId)
    if (known) return known
    let weight = PRIOR.weight as number
    let sum = PRIOR.weight * PRIOR.mean
    let squares = PRIOR.weight * (PRIOR.mean ** 2 + PRIOR.deviation ** 2)
    for (const id of this.#references) {
      if (id === trackId) continue
      const distance = this.#distance(place, this.#places.get(id)!)
      weight++
      sum += distance
      squares += distance ** 2
    }
    const mean = sum / weight
    const spread = { mean, deviation: Math.sqrt(squares / weight - mean ** 2) }
    this.#spreads.set(trackId, spread)
    return spread
  }
}

/** The numbers of a stored descriptor; a copy, as a blob need not be aligned. */
function storedDescriptor(descriptor: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(descriptor).buffer)
}

function at(place: number): number {
  return (place % BLOCK) * DESCRIPTOR_LENGTH
}

/** FNV-1a, of an id's characters. */
function hashOf(id: string): number {
  let hash = 0x811c_9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x0100_0193)
  return hash >>> 0
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

import { inTurns } from '../kernel/scheduler.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { FIRST_ECHOPRINT, SKETCH_LENGTH } from '../recognition/systems/sketch.ts'
import type { AnalysisStore, SketchRow } from './analysis-store.ts'
import { Copies } from './copy-groups.ts'
import {
  GIST_LENGTH,
  gistOf,
  mayBeCopies,
  SHORTEST,
  SOUND_VERSION,
  storedDescriptor,
  storedSketch,
} from './sound-descriptors.ts'

/** Rows read at a time. */
const PAGE = 500
/** Values that a number of a sketch can have, and how many neighbouring ones share a start. */
const VALUES = 2 ** 16
const NEIGHBOURS = 64
/** Tracks grouped between two steps. */
const PACE = 5_000

/** A track of the index. Its place is its index in `entries`. */
type Entry = Omit<SketchRow, 'sketch' | 'descriptor'>

/** All tracks, sorted by one number of their sketches. */
interface Order {
  places: Uint32Array
  /** The number, ascending. */
  values: Uint16Array
  /** Where each NEIGHBOURS values begin. */
  starts: Uint32Array
}

/** Finds, among very many tracks, those that may be copies of each other. It is not updated. */
class SketchIndex {
  readonly entries: readonly Entry[]
  readonly #sketches: Uint16Array
  readonly #gists: Float32Array
  /** One for each number of a sketch. */
  readonly #orders: readonly Order[]
  readonly #bySong: ReadonlyMap<string, number[]>
  readonly #byAudio: ReadonlyMap<string, number[]>
  /** How many numbers of each track equal those of the one being compared; zeros in between. */
  readonly #chroma: Uint8Array
  readonly #echoprint: Uint8Array

  private constructor(made: {
    entries: Entry[]
    sketches: Uint16Array
    gists: Float32Array
    orders: Order[]
    bySong: Map<string, number[]>
    byAudio: Map<string, number[]>
  }) {
    this.entries = made.entries
    this.#sketches = made.sketches
    this.#gists = made.gists
    this.#orders = made.orders
    this.#bySong = made.bySong
    this.#byAudio = made.byAudio
    this.#chroma = new Uint8Array(made.entries.length)
    this.#echoprint = new Uint8Array(made.entries.length)
  }

  /** Reads the sketches of all tracks, in steps of a few milliseconds: 2 kB of memory each. */
  static *building(store: AnalysisStore): Generator<void, SketchIndex> {
    const entries: Entry[] = []
    // Tracks added while it reads are left out.
    const { count, last } = store.countSounds(SOUND_VERSION)
    const sketches = new Uint16Array(count * SKETCH_LENGTH)
    const gists = new Float32Array(count * GIST_LENGTH)
    while (entries.length < count) {
      const rows = store.sketches(SOUND_VERSION, entries.at(-1)?.id ?? 0, PAGE)
      if (rows.length === 0) break
      for (const { sketch, descriptor, ...entry } of rows) {
        if (entry.id > last || entries.length === count) break
        sketches.set(
          storedSketch(sketch).subarray(0, SKETCH_LENGTH),
          entries.length * SKETCH_LENGTH,
        )
        gists.set(gistOf(storedDescriptor(descriptor)), entries.length * GIST_LENGTH)
        entries.push(entry)
      }
      if ((rows.at(-1)?.id ?? last) >= last) break
      yield
    }
    const orders: Order[] = []
    for (let slot = 0; slot < SKETCH_LENGTH; slot++) {
      yield
      orders.push(orderOf(sketches, slot, entries.length))
    }
    const bySong = yield* grouping(entries, 'songId')
    const byAudio = yield* grouping(entries, 'audioMd5')
    return new SketchIndex({ entries, sketches, gists, orders, bySong, byAudio })
  }

  entry(place: number): Entry {
    const entry = this.entries[place]
    if (!entry) throw new RangeError(`The index has no track at place ${place}.`)
    return entry
  }

  /** Whether the decoded sound of two tracks is the same to the bit. */
  identical(one: number, other: number): boolean {
    const { audioMd5 } = this.entry(one)
    return audioMd5 !== null && audioMd5 === this.entry(other).audioMd5
  }

  /** The tracks that may be copies of one: similar sketches, the same song or decoded sound. */
  candidates(place: number): number[] {
    const { songId, audioMd5, duration } = this.entry(place)
    const found = new Set([...this.#of(this.#byAudio, audioMd5), ...this.#of(this.#bySong, songId)])
    for (const other of this.#alike(place)) found.add(other)
    found.delete(place)
    return [...found]
      .filter((other) => {
        const theirs = this.entry(other).duration
        return Math.min(duration, theirs) >= SHORTEST * Math.max(duration, theirs)
      })
      .sort((a, b) => a - b)
  }

  #of(groups: ReadonlyMap<string, number[]>, key: string | null): number[] {
    return key === null ? [] : (groups.get(key) ?? [])
  }

  #alike(place: number): number[] {
    const touched: number[] = []
    const own = place * SKETCH_LENGTH
    for (const [slot, { places, values, starts }] of this.#orders.entries()) {
      const value = this.#sketches[own + slot]!
      if (value === 0) continue
      const counts = slot < FIRST_ECHOPRINT ? this.#chroma : this.#echoprint
      let at = starts[Math.floor(value / NEIGHBOURS)]!
      while (values[at]! < value) at++
      for (; values[at] === value; at++) {
        const other = places[at]!
        if (this.#chroma[other] === 0 && this.#echoprint[other] === 0) touched.push(other)
        counts[other] = counts[other]! + 1
      }
    }
    const found = touched.filter((other) =>
      mayBeCopies(
        { chroma: this.#chroma[other]!, echoprint: this.#echoprint[other]! },
        this.#gists,
        place * GIST_LENGTH,
        this.#gists,
        other * GIST_LENGTH,
      ),
    )
    for (const other of touched) {
      this.#chroma[other] = 0
      this.#echoprint[other] = 0
    }
    return found
  }
}

/** A counting sort of all tracks by one number of their sketches. */
function orderOf(sketches: Uint16Array, slot: number, count: number): Order {
  const next = new Uint32Array(VALUES + 1)
  const unsorted = new Uint16Array(count)
  for (let i = 0; i < count; i++) {
    const value = sketches[i * SKETCH_LENGTH + slot]!
    unsorted[i] = value
    next[value + 1] = next[value + 1]! + 1
  }
  for (let value = 0; value < VALUES; value++) next[value + 1] = next[value + 1]! + next[value]!
  const starts = Uint32Array.from({ length: VALUES / NEIGHBOURS }, (_, i) => next[i * NEIGHBOURS]!)
  const places = new Uint32Array(count)
  const values = new Uint16Array(count)
  for (let i = 0; i < count; i++) {
    const value = unsorted[i]!
    const at = next[value]!
    places[at] = i
    values[at] = value
    next[value] = at + 1
  }
  return { places, values, starts }
}

function* grouping(
  entries: readonly Entry[],
  field: 'songId' | 'audioMd5',
): Generator<void, Map<string, number[]>> {
  const groups = new Map<string, number[]>()
  for (const [i, entry] of entries.entries()) {
    if (i % PACE === 0) yield
    const key = entry[field]
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
  return groups
}

/** Milliseconds for which an index is kept for the next page of a search. */
const IDLE = 60_000

/** Searches for duplicates. They share one index, which is slow to make and large. */
export class DuplicateSearches {
  readonly #store: AnalysisStore
  #search: DuplicateSearch | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(store: AnalysisStore) {
    this.#store = store
  }

  /** The search that continues after an id; a new one for 0. */
  async at(after: number, signal: AbortSignal): Promise<DuplicateSearch> {
    let search = after === 0 ? undefined : this.#search
    if (!search) {
      const index = await inTurns(SketchIndex.building(this.#store), signal)
      search = new DuplicateSearch(index, new Copies(this.#store))
      this.#search = search
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(), IDLE)
    this.#timer.unref()
    return search
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#search = undefined
  }
}

/** A search of the library as it was when the search began. */
class DuplicateSearch {
  readonly index: SketchIndex
  readonly #copies: Copies
  /** Whether two tracks are the same recording, by their places as one number. */
  readonly #verdicts = new Map<number, boolean>()

  constructor(index: SketchIndex, copies: Copies) {
    this.index = index
    this.#copies = copies
  }

  /** The place of the first track with a greater id. */
  placeAfter(id: number): number {
    let low = 0
    let high = this.index.entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.index.entry(middle).id <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * The ids of the tracks that hold the recording of the one at `place`, itself first; none when an
   * earlier place holds that recording too.
   */
  async groupOf(place: number, signal: AbortSignal): Promise<string[]> {
    const group = [place]
    // The group grows while it is gone through.
    for (const member of group) {
      for (const other of this.index.candidates(member)) {
        if (group.includes(other) || !(await this.#same(member, other, signal))) continue
        if (other < place) return []
        group.push(other)
      }
    }
    return group.sort((a, b) => a - b).map((at) => this.index.entry(at).trackId)
  }

  async #same(one: number, other: number, signal: AbortSignal): Promise<boolean> {
    const key = Math.min(one, other) * this.index.entries.length + Math.max(one, other)
    const known = this.#verdicts.get(key)
    if (known !== undefined) return known
    const ids = [this.index.entry(one).trackId, this.index.entry(other).trackId] as const
    const same = this.index.identical(one, other) || (await this.#copies.same(...ids, signal))
    this.#verdicts.set(key, same)
    return same
  }
}

import { inTurns } from '../kernel/scheduler.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { Copies } from './copy-groups.ts'
import { SketchIndex } from './sketch-index.ts'

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
export class DuplicateSearch {
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

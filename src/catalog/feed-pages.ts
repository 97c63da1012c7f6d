/** Walks through feeds that are remembered. */
const WALKS = 200
/** Documents that are looked up for a first page; for later ones twice as many as there were. */
const AHEAD = 64

/** A walk through the pages of a feed, as far as it has come. */
interface Walk {
  /** The number of the newest document there was when it began. */
  upTo: number
  nums: Int32Array
  /** Whether there are no others after these. */
  whole: boolean
}

/**
 * Walks through the pages of feeds. The later pages of a walk show what there was at its first:
 * items that come meanwhile neither push others out of sight nor show them twice.
 */
export class FeedPages {
  readonly #walks = new Map<string, Walk>()

  /**
   * The numbers of the documents of a page.
   *
   * @param name - tells one walk from another; its first page begins it anew
   * @param find - the first documents, so many at most, of those up to a number
   */
  page(
    name: string,
    { start, results }: { start: number; results: number },
    newest: () => number,
    find: (upTo: number, most: number) => Int32Array,
  ): Int32Array {
    const before = start === 0 ? undefined : this.#walks.get(name)
    const walk = before ?? { upTo: newest(), nums: new Int32Array(0), whole: false }
    const end = start + results
    if (!walk.whole && walk.nums.length < end) {
      const most = Math.max(end, 2 * walk.nums.length, AHEAD)
      walk.nums = find(walk.upTo, most)
      walk.whole = walk.nums.length < most
    }
    // Set anew: those that nobody asks for any more are the first to go.
    this.#walks.delete(name)
    this.#walks.set(name, walk)
    const oldest = this.#walks.keys().next()
    if (this.#walks.size > WALKS && !oldest.done) this.#walks.delete(oldest.value)
    return walk.nums.subarray(start, end)
  }
}

const WALKS = 200
/** Documents that are found for a first page; each later search finds twice as many as the one before. */
const AHEAD = 64

interface Walk {
  /** The number of the newest document when the walk began. */
  upTo: number
  nums: Int32Array
  /** Whether these are all documents. */
  whole: boolean
}

/**
 * Walks through the pages of feeds. The later pages of a walk show the documents of the time of its
 * first page: later documents neither hide others nor show them twice.
 */
export class FeedPages {
  readonly #walks = new Map<string, Walk>()

  /**
   * The numbers of the documents of a page.
   *
   * @param name - the name of the walk; its first page restarts it
   * @param newest - the number of the newest document
   * @param find - finds the first documents up to a number, `most` of them at most
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
    // The least recently used walk is the first in the map, and is removed first.
    this.#walks.delete(name)
    this.#walks.set(name, walk)
    const [oldest] = this.#walks.keys()
    if (this.#walks.size > WALKS && oldest !== undefined) this.#walks.delete(oldest)
    return walk.nums.subarray(start, end)
  }
}

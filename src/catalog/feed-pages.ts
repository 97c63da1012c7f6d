const MAX_WALKS = 200
/** Documents found for a first page; each later search finds twice as many. */
const FIRST_DOCUMENTS = 64

interface Walk {
  /** The newest document when the walk began. */
  upTo: number
  nums: Int32Array
  /** Whether these are all documents. */
  whole: boolean
}

/** A walk shows the documents of the time of its first page, none hidden and none twice. */
export class FeedPages {
  readonly #walks = new Map<string, Walk>()

  /**
   * @param name - the name of the walk; its first page restarts it
   * @param find - finds the first documents up to a number
   */
  readPage(
    name: string,
    { start, results }: { start: number; results: number },
    newest: () => number,
    find: (upTo: number, most: number) => Int32Array,
  ): Int32Array {
    const lastWalk = start === 0 ? undefined : this.#walks.get(name)
    const walk = lastWalk ?? { upTo: newest(), nums: new Int32Array(0), whole: false }
    const end = start + results
    if (!walk.whole && walk.nums.length < end) {
      const maxDocuments = Math.max(end, 2 * walk.nums.length, FIRST_DOCUMENTS)
      walk.nums = find(walk.upTo, maxDocuments)
      walk.whole = walk.nums.length < maxDocuments
    }
    // The least recently used walk is the first in the map.
    this.#walks.delete(name)
    this.#walks.set(name, walk)
    const [oldest] = this.#walks.keys()
    if (this.#walks.size > MAX_WALKS && oldest !== undefined) this.#walks.delete(oldest)
    return walk.nums.subarray(start, end)
  }
}

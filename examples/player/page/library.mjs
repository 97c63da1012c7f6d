// All tracks of the library, in memory: ten thousand of them are a few megabytes.
import { own } from './wire.mjs'

export class Library {
  #byId = new Map()

  /** In the order in which they came. */
  get rows() {
    return [...this.#byId.values()]
  }

  row(id) {
    return this.#byId.get(id)
  }

  /** Reads all of it anew, telling each time there is twice as much. */
  async load(onMore) {
    const rows = []
    for (let start = 0, told = this.#byId.size; start !== undefined; ) {
      const page = await own(`library?start=${start}`)
      rows.push(...page.rows)
      start = page.next
      // Until it is complete, what was there before stays in sight.
      if (start !== undefined && rows.length < 2 * told) continue
      told = rows.length
      this.#byId = new Map()
      this.add(rows)
      onMore()
    }
  }

  /** Takes rows that are new, or now look otherwise. */
  add(rows) {
    for (const row of rows) this.#byId.set(row.id, row)
  }
}

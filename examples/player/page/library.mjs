// What is known of the tracks: the page holds ids, and asks for the rows of those it shows.
import { own } from './wire.mjs'

/** Rows that are asked for at once: more than are ever in sight. */
const PAGE = 100
/** Milliseconds in which questions for rows are gathered. */
const PAUSE = 30

export class Library {
  #rows = new Map()
  #wanted = new Set()
  #asking
  #came

  /** @param {(ids: string[]) => void} came - told of tracks whose rows are there now */
  constructor(came) {
    this.#came = came
  }

  /** The row of a track; `undefined` until it is there. */
  row(id) {
    return this.#rows.get(id)
  }

  /** The rows of tracks, once all are there; those that cannot be played are left out. */
  async want(ids) {
    const missing = ids.filter((id) => !this.#rows.has(id))
    for (let start = 0; start < missing.length; start += PAGE) {
      await this.#load(missing.slice(start, start + PAGE))
    }
    return ids.flatMap((id) => this.#rows.get(id) ?? [])
  }

  /** Asks for a row that is in sight; those that were scrolled past meanwhile are not loaded. */
  ask(id) {
    this.#wanted.delete(id)
    this.#wanted.add(id)
    this.#asking ??= this.#answer()
  }

  /** Forgets everything: the files or their tags may have changed. */
  forget() {
    this.#rows.clear()
  }

  /** Takes rows that came along with something else. */
  take(rows) {
    for (const row of rows) this.#rows.set(row.id, row)
  }

  async #answer() {
    while (this.#wanted.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      const ids = [...this.#wanted].slice(-PAGE)
      this.#wanted.clear()
      // Where it fails, the next scrolling asks again.
      await this.want(ids).catch(() => {})
    }
    this.#asking = undefined
  }

  async #load(ids) {
    const { rows } = await own('rows', { ids })
    this.take(rows)
    this.#came(rows.map(({ id }) => id))
  }
}

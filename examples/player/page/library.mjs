// What is known of the tracks: the page holds ids, and asks for the rows of those it shows.
import { own } from './wire.mjs'

/** Rows that are asked for at once. */
const PAGE = 100

export class Library {
  #rows = new Map()
  #wanted = new Set()
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

  /** Asks for a row that is in sight; what is asked for in one turn goes together. */
  ask(id) {
    if (this.#wanted.size === 0) {
      setTimeout(() => {
        const ids = [...this.#wanted]
        this.#wanted.clear()
        // Where it fails, the next scrolling asks again.
        this.want(ids).catch(() => {})
      })
    }
    this.#wanted.add(id)
  }

  /** Forgets everything: the files or their tags may have changed. */
  forget() {
    this.#rows.clear()
  }

  /** Takes rows that came along with something else. */
  take(rows) {
    for (const row of rows) this.#rows.set(row.id, row)
  }

  async #load(ids) {
    const { rows } = await own('rows', { ids })
    this.take(rows)
    this.#came(rows.map(({ id }) => id))
  }
}

// What you think of the tracks: a taste profile, kept in a catalog of the old protocol.
import { get, post } from './wire.mjs'

const NAME = 'Listening'
const PAGE = 100

/**
 * @typedef {object} Opinion
 * @property {number} [rating] 0 to 10
 * @property {boolean} [favorite]
 * @property {boolean} [banned]
 * @property {number} [plays]
 * @property {number} [skips]
 */

export class Taste {
  #id
  #opinions = new Map()
  #changed
  #turn = Promise.resolve()

  /** @param {(id: string) => void} changed - told of each track whose opinion is another one now */
  constructor(changed) {
    this.#changed = changed
  }

  /** Finds the catalog, or makes it, and reads what it holds; what is said meanwhile comes after. */
  load() {
    const loaded = this.#load()
    this.#turn = loaded.catch(() => {})
    return loaded
  }

  async #load() {
    this.#id = (await known()) ?? (await post('catalog/create', { name: NAME, type: 'song' })).id
    for (let start = 0, total = 1; start < total; start += PAGE) {
      const page = (await get('catalog/read', { id: this.#id, results: PAGE, start })).catalog
      total = page.total
      for (const item of page.items) {
        const id = item.request.item_id
        if (!this.#opinions.has(id)) this.#opinions.set(id, opinionOf(item))
      }
    }
  }

  /** @returns {Opinion} */
  of(id) {
    return this.#opinions.get(id) ?? {}
  }

  /** Tracks of which anything was ever said. */
  get ids() {
    return [...this.#opinions.keys()]
  }

  /** Whether there is anything that a radio could start from. */
  get likes() {
    return [...this.#opinions.values()].some(
      ({ rating, favorite, plays, banned }) => !banned && (favorite || rating > 5 || plays > 0),
    )
  }

  /** 0 to 10, or `undefined` to take it back. */
  rate(id, rating) {
    return this.#say(id, { rating })
  }

  favorite(id, favorite) {
    return this.#say(id, { favorite, ...(favorite && { banned: false }) })
  }

  ban(id, banned) {
    return this.#say(id, { banned, ...(banned && { favorite: false }) })
  }

  /** Counts a play, or a skip. */
  count(id, action) {
    const name = action === 'play' ? 'plays' : 'skips'
    const opinion = this.of(id)
    return this.#update(
      id,
      { ...opinion, [name]: (opinion[name] ?? 0) + 1 },
      {},
      { action, item: { item_id: id } },
    )
  }

  #say(id, said) {
    // A null takes a value back.
    const fields = Object.fromEntries(Object.entries(said).map(([k, v]) => [k, v ?? null]))
    return this.#update(id, { ...this.of(id), ...said }, fields)
  }

  /** Shows it at once; one update after the other, so that the last word counts. */
  #update(id, opinion, fields, ...more) {
    const before = this.#opinions.get(id)
    this.#opinions.set(id, opinion)
    this.#changed(id)
    const data = JSON.stringify([{ item: { item_id: id, track_id: id, ...fields } }, ...more])
    const sent = this.#turn.then(() => post('catalog/update', { id: this.#id, data }))
    this.#turn = sent.catch(() => {})
    return sent.catch((error) => {
      if (before) this.#opinions.set(id, before)
      else this.#opinions.delete(id)
      this.#changed(id)
      throw error
    })
  }
}

/** The id of the catalog, if it was made before. (To ask for its name would be an error on the first day.) */
async function known() {
  for (let start = 0, total = 1; start < total; start += PAGE) {
    const page = await get('catalog/list', { results: PAGE, start })
    total = page.total
    const mine = page.catalogs.find(({ name, type }) => name === NAME && type === 'song')
    if (mine) return mine.id
  }
  return undefined
}

function opinionOf({ rating, favorite, banned, play_count, skip_count }) {
  return { rating, favorite, banned, plays: play_count, skips: skip_count }
}

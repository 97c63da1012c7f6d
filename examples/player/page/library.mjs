// All tracks of the library, in memory: ten thousand of them are a few megabytes.
import { get } from './wire.mjs'

const PAGE = 100
/** Pages that are asked for at once. */
const ABREAST = 4

export class Library {
  #catalog
  #rows = []
  #byId = new Map()

  /** @param {string} catalog - the id of the catalog that holds the files */
  constructor(catalog) {
    this.#catalog = catalog
  }

  get id() {
    return this.#catalog
  }

  /** In the order in which they came. */
  get rows() {
    return this.#rows
  }

  row(id) {
    return this.#byId.get(id)
  }

  /** Reads all of it anew, telling each time there is twice as much. */
  async load(onMore) {
    const { items, total } = await this.#page(0)
    const rows = items.map(rowOf)
    let told = 0
    for (let start = PAGE; start < total; start += ABREAST * PAGE) {
      // Until it is complete, what was there before stays in sight.
      if (rows.length >= Math.max(2 * told, this.#rows.length)) {
        told = rows.length
        this.#take(rows, onMore)
      }
      const starts = Array.from({ length: ABREAST }, (_, i) => start + i * PAGE)
      const pages = await Promise.all(starts.map((at) => this.#page(at)))
      rows.push(...pages.flatMap((page) => page.items.map(rowOf)))
    }
    this.#take(rows, onMore)
  }

  /** Reads what has come since. */
  async more(onMore) {
    for (;;) {
      const { items } = await this.#page(this.#rows.length)
      const known = this.#rows.length
      this.#rows = [...this.#rows, ...items.map(rowOf)]
      for (const row of this.#rows.slice(known)) this.#byId.set(row.id, row)
      onMore()
      if (items.length < PAGE) return
    }
  }

  #take(rows, onMore) {
    this.#rows = [...rows]
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    onMore()
  }

  async #page(start) {
    const query = { id: this.#catalog, bucket: 'audio_summary', results: PAGE, start }
    return (await get('catalog/read', query)).catalog
  }
}

function rowOf({ request, song_name, artist_name, audio_summary: summary = {} }) {
  const path = request.url ?? ''
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return {
    id: request.item_id,
    title: song_name || file,
    artist: artist_name ?? '',
    path,
    duration: summary.duration ?? 0,
    tempo: summary.tempo ?? 0,
    key: summary.key ?? -1,
    mode: summary.mode ?? 0,
    energy: summary.energy ?? undefined,
    danceability: summary.danceability ?? undefined,
    loudness: summary.loudness ?? undefined,
  }
}

// Where the files of the tracks are: a catalog of its own, with a key that no page has.

const KEY = 'audile-player-files'
const NAME = 'Files of the player'

/**
 * The library: one item a track, `item_id` its id and `url` its path, in a catalog. Any key may read
 * a catalog, only its own key may change it: so a page can show the library, but cannot have a path
 * served that was never scanned.
 */
export class Files {
  #music
  #catalog

  constructor(music, catalog) {
    this.#music = music
    this.#catalog = catalog
  }

  /** @param {import('audile').Audile} music */
  static async open(music) {
    await music.keys.create({ apiKey: KEY, commercial: true }).catch(unless('invalid_parameter'))
    const { catalogs } = music.as(KEY)
    const known = await catalogs.get({ name: NAME }).catch(unless('unknown_identifier'))
    return new Files(music, known ?? (await catalogs.create({ name: NAME, type: 'song' })))
  }

  get id() {
    return this.#catalog.id
  }

  /** The path of a track; `undefined` when the player never scanned it, or it was removed. */
  async pathOf(trackId) {
    const { items } = await this.#catalog.read({ itemId: trackId })
    const track =
      items[0] && (await this.#music.tracks.get(trackId).catch(unless('unknown_identifier')))
    return track && items[0].request.url
  }

  /** All paths, with their tracks. */
  async paths() {
    const paths = new Map()
    for await (const { request } of this.#catalog.items()) paths.set(request.url, request.itemId)
    return paths
  }

  /**
   * Takes note of where tracks are, and of what is gone; done when they can be read.
   *
   * @param {Iterable<[path: string, trackId: string]>} found
   * @param {Iterable<string>} gone - ids
   */
  async update(found, gone = []) {
    const here = [...found].map(([url, id]) => ({ item: { itemId: id, trackId: id, url } }))
    const away = [...gone].map((id) => ({ action: 'delete', item: { itemId: id } }))
    if (here.length + away.length === 0) return
    await (await this.#catalog.update([...away, ...here])).done()
  }
}

function unless(code) {
  return (error) => {
    if (error?.code !== code) throw error
  }
}

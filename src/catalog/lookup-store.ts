import type { Database } from 'better-sqlite3'

/** What the rooms below ask of catalogs: an id of a catalog can stand wherever an id space can. */
export class CatalogLookup {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** What an item was resolved to; `undefined` when there is no such catalog or item. */
  item(catalogId: string, itemId: string): { songId?: string; artistId?: string } | undefined {
    const found = this.#db
      .prepare<[string, string], { songId: string | null; artistId: string | null }>(
        `SELECT s.id AS songId, a.id AS artistId FROM catalogs c
           JOIN catalog_items i ON i.catalog = c.num
           LEFT JOIN songs s ON s.num = i.song LEFT JOIN artists a ON a.num = i.artist
         WHERE c.id = ? AND c.gone = 0 AND i.item_id = ?`,
      )
      .get(catalogId, itemId)
    if (!found) return undefined
    const { songId, artistId } = found
    return { ...(songId !== null && { songId }), ...(artistId !== null && { artistId }) }
  }

  /** The ids that a song has in a catalog; empty when it is no catalog's id. */
  itemIdsOfSong(catalogId: string, songId: string): string[] {
    return this.#db
      .prepare<[string, string], string>(
        `SELECT i.item_id FROM catalogs c JOIN catalog_items i ON i.catalog = c.num
           JOIN songs s ON s.num = i.song
         WHERE c.id = ? AND c.gone = 0 AND s.id = ? ORDER BY i.num`,
      )
      .pluck()
      .all(catalogId, songId)
  }

  /** The ids that an artist has in a catalog of artists; empty when it is no such catalog's id. */
  itemIdsOfArtist(catalogId: string, artist: number): string[] {
    return this.#db
      .prepare<[string, number], string>(
        `SELECT i.item_id FROM catalogs c JOIN catalog_items i ON i.catalog = c.num
         WHERE c.id = ? AND c.gone = 0 AND c.type = 'artist' AND i.artist = ? ORDER BY i.num`,
      )
      .pluck()
      .all(catalogId, artist)
  }

  /** The ids of a catalog's songs, or of all songs of its artists; `undefined` without such a catalog. */
  songIds(catalogId: string): string[] | undefined {
    const catalog = this.#db
      .prepare<[string], { num: number; type: 'artist' | 'song' }>(
        'SELECT num, type FROM catalogs WHERE id = ? AND gone = 0',
      )
      .get(catalogId)
    if (!catalog) return undefined
    const on = catalog.type === 'song' ? 's.num = i.song' : 's.artist = i.artist'
    return this.#db
      .prepare<[number], string>(
        `SELECT s.id FROM catalog_items i JOIN songs s ON ${on} WHERE i.catalog = ?`,
      )
      .pluck()
      .all(catalog.num)
  }
}

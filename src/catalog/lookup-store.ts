import { one, storeOf, values } from '../kernel/database/statements.ts'
import { known } from '../values/known.ts'
import type { CatalogType } from './item.ts'

/** A catalog id is valid wherever an id space is. */
export class CatalogLookup extends storeOf({
  resolvedItem: one<
    [catalogId: string, itemId: string],
    { songId: string | null; artistId: string | null }
  >(
    `SELECT s.id AS songId, a.id AS artistId FROM catalogs c
       JOIN catalog_items i ON i.catalog = c.num
       LEFT JOIN songs s ON s.num = i.song LEFT JOIN artists a ON a.num = i.artist
     WHERE c.id = ? AND c.gone = 0 AND i.item_id = ?`,
  ),
  /** Empty when there is no such catalog. */
  itemIdsOfSong: values<[catalogId: string, songId: string], string>(
    `SELECT i.item_id FROM catalogs c JOIN catalog_items i ON i.catalog = c.num
       JOIN songs s ON s.num = i.song
     WHERE c.id = ? AND c.gone = 0 AND s.id = ? ORDER BY i.num`,
  ),
  itemIdsOfArtist: values<[catalogId: string, artist: number], string>(
    `SELECT i.item_id FROM catalogs c JOIN catalog_items i ON i.catalog = c.num
     WHERE c.id = ? AND c.gone = 0 AND c.type = 'artist' AND i.artist = ? ORDER BY i.num`,
  ),
  catalog: one<[id: string], { num: number; type: CatalogType }>(
    'SELECT num, type FROM catalogs WHERE id = ? AND gone = 0',
  ),
  songIdsOfSongs: values<[catalog: number], string>(
    'SELECT s.id FROM catalog_items i JOIN songs s ON s.num = i.song WHERE i.catalog = ?',
  ),
  songIdsOfArtists: values<[catalog: number], string>(
    'SELECT s.id FROM catalog_items i JOIN songs s ON s.artist = i.artist WHERE i.catalog = ?',
  ),
}) {
  findItem(catalogId: string, itemId: string): { songId?: string; artistId?: string } | undefined {
    const ids = this.resolvedItem(catalogId, itemId)
    return ids && known(ids)
  }

  songIds(catalogId: string): string[] | undefined {
    const catalog = this.catalog(catalogId)
    if (!catalog) return undefined
    const { num, type } = catalog
    return type === 'song' ? this.songIdsOfSongs(num) : this.songIdsOfArtists(num)
  }
}

export type CatalogIds = Pick<
  CatalogLookup,
  'findItem' | 'itemIdsOfSong' | 'itemIdsOfArtist' | 'songIds'
>

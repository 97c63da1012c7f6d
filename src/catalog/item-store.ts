import { all, one, run, storeOf, value, values } from '../kernel/database/statements.ts'
import type { CatalogType } from './item.ts'

export interface ItemRow {
  num: number
  catalog: number
  itemId: string
  identity: string
  details: string
  keyvalues: string
  favorite: 0 | 1 | null
  banned: 0 | 1 | null
  playCount: number | null
  skipCount: number | null
  /** Unix seconds; `null` if no time of a play is known. */
  lastPlayed: number | null
  rating: number | null
  heat: number
  heatAt: number
  /** Numbers of the song and the artist it was resolved to. */
  song: number | null
  artist: number | null
  trackId: string | null
  /** The update that must still resolve it. */
  ticket: number | null
  tried: number
  dateAdded: number
  lastModified: number
}

export type ItemState = Omit<ItemRow, 'num' | 'tried'>

const SELECT_ITEM = `
SELECT num, catalog, item_id AS itemId, identity, details, keyvalues, favorite, banned,
  play_count AS playCount, skip_count AS skipCount, last_played AS lastPlayed, rating, heat,
  heat_at AS heatAt, song, artist, track_id AS trackId, ticket, tried, date_added AS dateAdded, last_modified AS lastModified
FROM catalog_items`

export class ItemStore extends storeOf({
  byId: one<[catalog: number, itemId: string], ItemRow>(
    `${SELECT_ITEM} WHERE catalog = ? AND item_id = ?`,
  ),
  byNum: one<[num: number], ItemRow>(`${SELECT_ITEM} WHERE num = ?`),
  ids: values<[catalog: number], string>('SELECT item_id FROM catalog_items WHERE catalog = ?'),
  // The offset is counted in the index: the rows before it are not read.
  page: all<{ catalog: number; after: number; start: number; results: number }, ItemRow>(
    `${SELECT_ITEM} WHERE num IN (
       SELECT num FROM catalog_items INDEXED BY catalog_items_catalog
       WHERE catalog = @catalog AND num > @after ORDER BY num LIMIT @results OFFSET @start)
     ORDER BY num`,
  ),
  countResolved: value<{ num: number; type: CatalogType }, number>(
    "SELECT count(iif(@type = 'song', song, artist)) FROM catalog_items WHERE catalog = @num",
  ),
  insert: run<ItemState>(
    `INSERT INTO catalog_items (catalog, item_id, identity, details, keyvalues, favorite, banned,
       play_count, skip_count, last_played, rating, heat, heat_at, song, artist, track_id, ticket,
       date_added, last_modified)
     VALUES (@catalog, @itemId, @identity, @details, @keyvalues, @favorite, @banned, @playCount,
       @skipCount, @lastPlayed, @rating, @heat, @heatAt, @song, @artist, @trackId, @ticket,
       @dateAdded, @lastModified)`,
  ),
  update: run<ItemState & Pick<ItemRow, 'num'>>(
    `UPDATE catalog_items SET identity = @identity, details = @details, keyvalues = @keyvalues,
       favorite = @favorite, banned = @banned, play_count = @playCount, skip_count = @skipCount,
       last_played = @lastPlayed, rating = @rating, heat = @heat, heat_at = @heatAt, song = @song, artist = @artist,
       track_id = @trackId, ticket = @ticket, last_modified = @lastModified
     WHERE num = @num`,
  ),
  delete: run<[num: number]>('DELETE FROM catalog_items WHERE num = ?'),
  changeTotal: run<[by: number, catalog: number]>(
    'UPDATE catalogs SET total = total + ? WHERE num = ?',
  ),
  pending: all<[ticket: number, most: number], ItemRow>(
    `${SELECT_ITEM} WHERE ticket = ? ORDER BY num LIMIT ?`,
  ),
  /** Last tried before a revision of songs and artists. */
  unresolved: all<[revision: number, most: number], ItemRow>(
    `${SELECT_ITEM} INDEXED BY catalog_items_unresolved
     WHERE song IS NULL AND artist IS NULL AND ticket IS NULL AND identity <> '{}' AND tried < ?
     ORDER BY tried, num LIMIT ?`,
  ),
  /** Unless the item changed since it was read, or another process found a song for it. */
  resolve: run<
    Pick<ItemRow, 'num' | 'song' | 'artist' | 'trackId' | 'tried' | 'identity' | 'ticket'>
  >(
    `UPDATE catalog_items SET song = @song, artist = @artist,
       track_id = coalesce(@trackId, track_id), ticket = NULL, tried = @tried
     WHERE num = @num AND identity = @identity AND ticket IS @ticket
       AND (ticket IS NOT NULL OR song IS NULL)`,
  ),
  /**
   * An item known by names keeps its song unless the new one is certain; one with a code always.
   */
  resolveTrack: run<{ trackId: string; song: number; artist: number | null; isCertain: 0 | 1 }>(
    `UPDATE catalog_items SET song = @song, artist = @artist
     WHERE track_id = @trackId AND ticket IS NULL AND (song IS NULL OR identity = '{}'
       OR json_extract(identity, '$.trackId') IS NOT NULL
       OR (@isCertain AND json_extract(identity, '$.fpCode') IS NULL))`,
  ),
}) {
  /** @returns the number of the new item */
  addItem(item: ItemState): number {
    const { lastInsertRowid } = this.insert(item)
    this.changeTotal(1, item.catalog)
    return Number(lastInsertRowid)
  }

  removeItem({ num, catalog }: ItemRow): void {
    this.delete(num)
    this.changeTotal(-1, catalog)
  }
}

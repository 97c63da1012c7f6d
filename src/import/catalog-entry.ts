import { createHash } from 'node:crypto'
import { recordOf } from './cleaning.ts'

/** An item of a taste catalog, as `catalog.update` takes it. */
export interface CatalogItem {
  /** Letters, digits, `.`, `_` and `-`; the same at every import of the same thing. */
  itemId: string
  songName?: string | undefined
  artistName?: string | undefined
  songId?: string | undefined
  release?: string | undefined
  genre?: string | undefined
  trackNumber?: number | undefined
  discNumber?: number | undefined
  url?: string | undefined
  favorite?: boolean | undefined
  banned?: boolean | undefined
  playCount?: number | undefined
  skipCount?: number | undefined
  /** 0..10. */
  rating?: number | undefined
}

/** An update of one item of a taste catalog. */
export interface CatalogEntry {
  item: CatalogItem
}

/** An id as an item id; one that holds other characters is replaced by a digest of it. */
export function asItemId(id: string): string {
  return /^[A-Za-z0-9._-]{1,255}$/.test(id) ? id : itemIdOf(id)
}

/** An entry that sets what is known of an item. */
export function entryOf(item: CatalogItem): CatalogEntry {
  return { item: recordOf(item) }
}

/** An item id made of what tells the item from others: the same for the same, 32 digits long. */
export function itemIdOf(...parts: (string | undefined)[]): string {
  return createHash('md5').update(JSON.stringify(parts)).digest('hex')
}

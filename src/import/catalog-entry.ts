import { createHash } from 'node:crypto'
import { recordOf } from './cleaning.ts'

/** An item of a taste catalog, as `catalog.update` takes it. */
export interface CatalogItem {
  /** Letters, digits, `.`, `_` and `-`; the same at every import of the same thing. */
  itemId: string
  /** The song's title. */
  songName?: string | undefined
  /** The artist as the source credits them. */
  artistName?: string | undefined
  /** `SO…`, or a foreign id; it stands for the names. */
  songId?: string | undefined
  /** The album. */
  release?: string | undefined
  /** As the source calls it. */
  genre?: string | undefined
  /** The place on its disc, from 1 on. */
  trackNumber?: number | undefined
  /** Which disc of several, from 1 on. */
  discNumber?: number | undefined
  /** Where the file is: a path or an address. */
  url?: string | undefined
  /** Whether it is loved. */
  favorite?: boolean | undefined
  /** Whether it is hated. */
  banned?: boolean | undefined
  /** How often it was played. */
  playCount?: number | undefined
  /** How often it was skipped. */
  skipCount?: number | undefined
  /** 0..10. */
  rating?: number | undefined
}

/** An update of one item of a taste catalog. */
export interface CatalogEntry {
  /** What is known of it. */
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

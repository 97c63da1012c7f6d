import { md5 } from '../values/md5.ts'
import { cleaned, count, numberOnDisc, recordOf, text } from './cleaning.ts'

/** An item of a taste catalog, as `catalog.update` takes it. */
export interface CatalogItem {
  /** Letters, digits, `.`, `_` and `-`; every import gives the same item the same id. */
  itemId: string
  /** The song's title. */
  songName?: string | undefined
  /** The artist as the source credits them. */
  artistName?: string | undefined
  /** `SO…`, or a foreign id; replaces the names. */
  songId?: string | undefined
  /** The album. */
  release?: string | undefined
  /** As the source names it. */
  genre?: string | undefined
  /** Its number on the disc, from 1 on. */
  trackNumber?: number | undefined
  /** The number of the disc, from 1 on. */
  discNumber?: number | undefined
  /** The file's path or address. */
  url?: string | undefined
  /** Whether it is loved. */
  favorite?: boolean | undefined
  /** Whether it is hated. */
  banned?: boolean | undefined
  /** How often it was played. */
  playCount?: number | undefined
  /** How often it was skipped. */
  skipCount?: number | undefined
  /** 0…10. */
  rating?: number | undefined
}

/** An update of one item of a taste catalog. */
export interface CatalogEntry {
  /** The item and what is known of it. */
  item: CatalogItem
}

const FIELDS = {
  songName: text,
  artistName: text,
  songId: text,
  release: text,
  genre: text,
  trackNumber: numberOnDisc,
  discNumber: numberOnDisc,
  url: text,
  playCount: count,
  skipCount: count,
}

/** What a source says of an item: values of any type, of which those that say nothing are left out. */
type RawItem = Pick<CatalogItem, 'itemId' | 'favorite' | 'banned' | 'rating'> & {
  readonly [K in keyof typeof FIELDS]?: unknown
}

/** An entry that sets what is known of an item. */
export function entryOf(item: RawItem): CatalogEntry {
  return { item: recordOf<CatalogItem>({ ...item, ...cleaned(FIELDS, item) }) }
}

/** An id as an item id; one with other characters is replaced by a hash of it. */
export function asItemId(id: string): string {
  return /^[A-Za-z0-9._-]{1,255}$/.test(id) ? id : itemIdOf(id)
}

/** An item id computed from what distinguishes the item: 32 characters. */
export function itemIdOf(...parts: (string | undefined)[]): string {
  return md5(JSON.stringify(parts))
}

import { md5 } from '../values/md5.ts'
import { decodeEscaped } from '../values/text.ts'
import {
  cleanAddress,
  cleanCount,
  cleanFields,
  cleanNumberOnDisc,
  cleanTextValue,
  recordOfKnown,
} from './cleaning.ts'

/** An item of a taste catalog, as `catalog.update` takes it. */
export interface CatalogItem {
  /** Letters, digits, `.`, `_` and `-`; every import gives the same item the same id. */
  itemId: string
  /** The song's title. */
  songName?: string | undefined
  /** The artist as the source credits them. */
  artistName?: string | undefined
  /** `SO…` or a foreign id, in place of the names. */
  songId?: string | undefined
  /** The album. */
  release?: string | undefined
  /** The genre, as the source names it. */
  genre?: string | undefined
  /** The track number on the disc, from 1. */
  trackNumber?: number | undefined
  /** The disc number, from 1. */
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
  /** When it was played: ascending Unix seconds, each once. */
  plays?: number[] | undefined
  /** 0…10. */
  rating?: number | undefined
}

/** An update of one item of a taste catalog. */
export interface CatalogEntry {
  /** The item and its known fields. */
  item: CatalogItem
}

const ITEM_CLEANERS = {
  songName: cleanTextValue,
  artistName: cleanTextValue,
  songId: cleanTextValue,
  release: cleanTextValue,
  genre: cleanTextValue,
  trackNumber: cleanNumberOnDisc,
  discNumber: cleanNumberOnDisc,
  url: cleanAddress,
  playCount: cleanCount,
  skipCount: cleanCount,
}

/** Fields of an item as a source has them; those without meaning are left out. */
type RawItem = Pick<CatalogItem, 'itemId' | 'favorite' | 'banned' | 'rating' | 'plays'> & {
  readonly [K in keyof typeof ITEM_CLEANERS]?: unknown
}

export function catalogEntryOf(item: RawItem): CatalogEntry {
  return { item: recordOfKnown<CatalogItem>({ ...item, ...cleanFields(ITEM_CLEANERS, item) }) }
}

/** An id with other characters becomes its hash. */
export function itemIdFrom(id: string): string {
  return /^[A-Za-z0-9._-]{1,255}$/.test(id) ? id : itemIdOf(id)
}

/** A hash of the parts, 32 characters; texts that differ only in their Unicode form share it. */
export function itemIdOf(...parts: (string | undefined)[]): string {
  return md5(JSON.stringify(parts.map((part) => part?.normalize('NFC'))))
}

/** Percent escapes hide the Unicode form of a name. */
export function locationKey(location: string): string {
  return decodeEscaped(location) ?? location
}

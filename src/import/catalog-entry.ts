import { md5 } from '../values/md5.ts'
import { decodeEscaped } from '../values/text.ts'
import { address, cleaned, count, numberOnDisc, recordOf, text } from './cleaning.ts'

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

const FIELDS = {
  songName: text,
  artistName: text,
  songId: text,
  release: text,
  genre: text,
  trackNumber: numberOnDisc,
  discNumber: numberOnDisc,
  url: address,
  playCount: count,
  skipCount: count,
}

/** The data of an item in a source: values of any type. Those without meaning are left out. */
type RawItem = Pick<CatalogItem, 'itemId' | 'favorite' | 'banned' | 'rating' | 'plays'> & {
  readonly [K in keyof typeof FIELDS]?: unknown
}

export function entryOf(item: RawItem): CatalogEntry {
  return { item: recordOf<CatalogItem>({ ...item, ...cleaned(FIELDS, item) }) }
}

/** Makes an item id from an id. An id with other characters is replaced by its hash. */
export function asItemId(id: string): string {
  return /^[A-Za-z0-9._-]{1,255}$/.test(id) ? id : itemIdOf(id)
}

/**
 * An item id: a hash of the parts that identify the item, 32 characters. Texts that differ only in
 * their Unicode form give one id.
 */
export function itemIdOf(...parts: (string | undefined)[]): string {
  return md5(JSON.stringify(parts.map((part) => part?.normalize('NFC'))))
}

/** A location for an item id: percent escapes hide the Unicode form of a name. */
export function locationKey(location: string): string {
  return decodeEscaped(location) ?? location
}

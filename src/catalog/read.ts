import { z } from 'zod'
import {
  ARTIST_BUCKETS,
  type ArtistBucket,
  type ArtistBuckets,
  bucketsOf,
} from '../artist/artist-answer.ts'
import { type Call, method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import { nonEmpty, oneOrMany, whole, withDeclaredType } from '../options/parameter-types.ts'
import { requireSpace, SONG_BUCKETS, type SongBucket, splitBuckets } from '../song/buckets.ts'
import { describeSong, type SongAnswer } from '../song/song-answer.ts'
import { invalidParameter } from '../values/errors.ts'
import { formatForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import { timestamp } from '../values/text.ts'
import type { CatalogRow } from './catalog-store.ts'
import type { Details, Identity } from './identity.ts'
import type { ItemInput } from './item.ts'
import type { ItemRow } from './item-store.ts'
import type { CatalogInfo } from './list.ts'
import type { CatalogRoom } from './room.ts'

const DEFAULT_RESULTS = 15
/** Of a page, and named items read in one step. */
const MAX_ITEMS = 100
/** Each can be large. */
const MAX_NAMED_ITEMS = 1000

const catalogReadParameters = z.strictObject({
  /** `CA…` */
  id: nonEmpty,
  /** Only these items, each once, in this order; at most 1,000. */
  itemId: oneOrMany(nonEmpty)
    .refine((ids) => new Set([ids].flat()).size <= MAX_NAMED_ITEMS, {
      error: `names more than ${MAX_NAMED_ITEMS} items; ask for them in several calls`,
    })
    .optional(),
  /** Parts of the answer besides submitted fields: `audio_summary`, `kvstore`, `plays`, `id:<id space>` … */
  bucket: oneOrMany(
    withDeclaredType<SongBucket | ArtistBucket | 'kvstore' | 'item_keyvalues' | 'plays', string>(
      nonEmpty,
    ),
  ).default([]),
  /** The most items in the answer, 0…100. Default 15. With `itemId`, all of those are answered. */
  results: whole.max(MAX_ITEMS).default(DEFAULT_RESULTS),
  /** How many items to skip. Default 0. */
  start: whole.default(0),
  /** Where the page begins (ours): 0, then `next` of the page before. */
  after: whole.optional(),
})

type SongData = Omit<
  SongAnswer,
  'id' | 'title' | 'artistId' | 'artistName' | 'score' | 'message' | 'tag'
>

/** An item of a catalog. Fields that were never set, or are not known, are absent. */
export interface CatalogItem
  extends SongData,
    Omit<ArtistBuckets, 'artistLocation' | 'foreignIds' | 'origins'> {
  /** The names and details of the item, as submitted. */
  request: Omit<
    ItemInput,
    'favorite' | 'banned' | 'playCount' | 'skipCount' | 'plays' | 'rating' | 'itemKeyvalues'
  >
  /** `<catalog_id>:<type>:<item_id>` */
  foreignId: string
  /** `SO…`, when the song is resolved. */
  songId?: string
  /** The title of the resolved song. */
  songName?: string
  /** The track that the item names, or one of the song. */
  trackId?: string
  /** `AR…`, when the artist is resolved. */
  artistId?: string
  /** The name of the resolved artist, or as the song credits them. */
  artistName?: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  dateAdded: string
  /** In the same form. */
  lastModified: string
  /** Whether it is loved. */
  favorite?: boolean
  /** Whether it is hated. */
  banned?: boolean
  /** How often it was played. */
  playCount?: number
  /** How often it was skipped. */
  skipCount?: number
  /** When it was last played, as far as times are known; in UTC, as `dateAdded`. */
  lastPlayed?: string
  /** When it was played, with the bucket `plays`: the oldest time first. */
  plays?: string[]
  /** 0..10 */
  rating?: number
  /** Its keys and values, with the bucket `kvstore`. */
  kvstore?: Record<string, string>
  /** The same, with the bucket `item_keyvalues`. */
  itemKeyvalues?: Record<string, string>
}

/** A page of a catalog. */
export interface CatalogReading extends CatalogInfo {
  /** Where the page begins. */
  start: number
  /** In the order of arrival. */
  items: CatalogItem[]
  /** With `after`: where the next page starts, unless this page is empty. */
  next?: number
}

/** `catalog/read`: the items of a catalog, page by page in the order they came, or some by their ids. */
export const readCatalog = method({
  name: 'catalog/read',
  verbs: ['GET'],
  local: ['after'],
  parameters: catalogReadParameters,
  async run(room: CatalogRoom, params, { signal }: Pick<Call, 'signal'>): Promise<CatalogReading> {
    const { itemId, start, after, results } = params
    if (itemId === undefined) {
      const reading = readItems(room, params, ({ num }) =>
        room.items.page({ catalog: num, after: after ?? 0, start, results }),
      )
      const next = after === undefined ? undefined : reading.last
      return { ...reading.page, start, ...(next !== undefined && { next }) }
    }
    const ids = [...new Set([itemId].flat())]
    const readSome = (start: number) =>
      readItems(room, params, ({ num }) =>
        ids.slice(start, start + MAX_ITEMS).flatMap((id) => room.items.byId(num, id) ?? []),
      ).page
    const page = readSome(0)
    for (let from = MAX_ITEMS; from < ids.length; from += MAX_ITEMS) {
      await callTurn(signal)
      page.items.push(...readSome(from).items)
    }
    return page
  },
})

/** In one transaction; `last` is the number of the last item. */
function readItems(
  room: CatalogRoom,
  { id: catalogId, bucket }: Pick<z.output<typeof catalogReadParameters>, 'id' | 'bucket'>,
  rowsOf: (catalog: CatalogRow) => ItemRow[],
): { page: CatalogReading; last: number | undefined } {
  return room.atomically.reading(() => {
    const catalog = room.catalogs.findCatalog(catalogId)
    const buckets = [bucket].flat()
    checkBuckets(catalog, buckets)
    const rows = rowsOf(catalog)
    const { id, name, type, total } = catalog
    const items = rows.map((row) => describeItem(room, catalog, row, buckets))
    return { page: { id, name, type, start: 0, total, items }, last: rows.at(-1)?.num }
  })
}

const OWN_BUCKETS = ['kvstore', 'item_keyvalues', 'plays']

/** @throws {ParameterError} on a bucket that items of the catalog's type do not have */
function checkBuckets({ type }: CatalogRow, buckets: readonly string[]): void {
  const knownBuckets = [...OWN_BUCKETS, ...(type === 'song' ? SONG_BUCKETS : ARTIST_BUCKETS)]
  const unknownBucket = buckets.find(
    (bucket) => !knownBuckets.includes(bucket) && !/^id:.+/.test(bucket),
  )
  if (unknownBucket === undefined && type === 'song') requireSpace(splitBuckets(buckets))
  if (unknownBucket === undefined) return
  const quotedBuckets = knownBuckets.map((bucket) => `"${bucket}"`).join(', ')
  throw invalidParameter(
    'bucket',
    `bucket "${unknownBucket}" is not one of ${quotedBuckets}, or "id:<ID SPACE>"`,
  )
}

function describeItem(
  room: CatalogRoom,
  { id, type }: CatalogRow,
  row: ItemRow,
  buckets: readonly string[],
): CatalogItem {
  const { num, itemId, favorite, banned, playCount, skipCount, lastPlayed, rating } = row
  const item: CatalogItem = known({
    request: {
      itemId,
      ...(JSON.parse(row.identity) as Identity),
      ...(JSON.parse(row.details) as Details),
    },
    foreignId: formatForeignId({ catalog: id, type, id: itemId }),
    dateAdded: timestamp(row.dateAdded),
    lastModified: timestamp(row.lastModified),
    favorite: favorite === null ? null : favorite === 1,
    banned: banned === null ? null : banned === 1,
    playCount,
    skipCount,
    lastPlayed: lastPlayed === null ? null : timeOfPlay(lastPlayed),
    rating,
  })
  const data = buckets.filter((bucket) => !OWN_BUCKETS.includes(bucket))
  if (type === 'song') addSong(room, row, item, data)
  else addArtist(room, row, item, data)
  if (buckets.includes('kvstore')) item.kvstore = JSON.parse(row.keyvalues)
  if (buckets.includes('plays')) item.plays = room.plays.timesOf(num).map(timeOfPlay)
  if (buckets.includes('item_keyvalues')) item.itemKeyvalues = JSON.parse(row.keyvalues)
  return item
}

function timeOfPlay(seconds: number): string {
  return timestamp(seconds * 1000)
}

function addSong(
  { song: songs }: CatalogRoom,
  row: ItemRow,
  item: CatalogItem,
  buckets: readonly string[],
): void {
  const song = row.song === null ? undefined : songs.store.byNum(row.song)
  const {
    id: songId,
    title: songName,
    ...data
  } = song ? describeSong(songs, song, splitBuckets(buckets)) : ({} as Partial<SongAnswer>)
  Object.assign(item, known({ songId, songName, trackId: row.trackId ?? song?.trackId, ...data }))
}

function addArtist(
  { artist: artists }: CatalogRoom,
  row: ItemRow,
  item: CatalogItem,
  buckets: readonly string[],
): void {
  const artist = row.artist === null ? undefined : artists.store.byNum(row.artist)
  if (!artist) return
  item.artistId = artist.id
  item.artistName = artist.name
  Object.assign(item, bucketsOf(artists, artist, buckets))
}

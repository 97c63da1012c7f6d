import { z } from 'zod'
import { type ArtistBuckets, bucketsOf } from '../artist/artist-answer.ts'
import { ARTIST_BUCKETS } from '../artist/buckets.ts'
import { invalidParameter } from '../errors.ts'
import { formatForeignId } from '../ids.ts'
import type { Call } from '../kernel/method.ts'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import { nonEmpty, oneOrMany } from '../parameter-types.ts'
import { type Asked, SONG_BUCKETS, split } from '../song/buckets.ts'
import { describe, type SongAnswer } from '../song/song-answer.ts'
import { timestamp } from '../text.ts'
import { findCatalog } from './find-catalog.ts'
import type { CatalogType, ItemInput } from './item.ts'
import type { CatalogRoom } from './room.ts'
import type { CatalogRow, ItemRow } from './store.ts'

/** Items of a page, without being told and at most; of named items so many are read in one step. */
const RESULTS = 15
const MOST = 100
/** Items that may be named in one call: each can be large. */
const MOST_NAMED = 1000

const parameters = z.strictObject({
  /** `CA…` */
  id: nonEmpty,
  /** Only these items, each once, in this order; at most 1,000. */
  itemId: z
    .union([
      nonEmpty,
      z.array(nonEmpty).refine((ids) => new Set(ids).size <= MOST_NAMED, {
        error: `names more than ${MOST_NAMED} items; ask for them in several calls`,
      }),
    ])
    .optional(),
  /** What to answer besides what was submitted: `audio_summary`, `kvstore`, `id:<id space>` … */
  bucket: oneOrMany(nonEmpty).optional(),
  /** How many are answered at most, 0…100. Default 15. Of items in `itemId` all are answered. */
  results: z.int().min(0).max(MOST).default(RESULTS),
  /** How many are passed over. Default 0. */
  start: z.int().min(0).default(0),
  /** Where the page begins (ours): 0, then `next` of the page before. */
  after: z.int().min(0).optional(),
})

type SongData = Omit<
  SongAnswer,
  'id' | 'title' | 'artistId' | 'artistName' | 'score' | 'message' | 'tag'
>

/** An item as `catalog/read` answers it. What was never set, or is not known, is absent. */
export interface CatalogItem
  extends SongData,
    Omit<ArtistBuckets, 'artistLocation' | 'foreignIds' | 'origins'> {
  /** What names the item, and what else is said of it, as submitted. */
  request: Omit<
    ItemInput,
    'favorite' | 'banned' | 'playCount' | 'skipCount' | 'rating' | 'itemKeyvalues'
  >
  /** `<catalog_id>:<type>:<item_id>` */
  foreignId: string
  /** `SO…`, when the song is resolved. */
  songId?: string
  /** Of the resolved song. */
  songName?: string
  /** The track of it, where the item names one. */
  trackId?: string
  /** `AR…`, when the artist is resolved. */
  artistId?: string
  /** Of the resolved artist, or as the song credits them. */
  artistName?: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  dateAdded: string
  /** Likewise. */
  lastModified: string
  /** Whether it is loved; when it was said. */
  favorite?: boolean
  /** Whether it is hated; when it was said. */
  banned?: boolean
  /** How often it was played. */
  playCount?: number
  /** How often it was skipped. */
  skipCount?: number
  /** 0..10 */
  rating?: number
  /** With the bucket `kvstore`, or `item_keyvalues`. */
  kvstore?: Record<string, string>
  /** The same, under the name that was asked for. */
  itemKeyvalues?: Record<string, string>
}

/** A page of a catalog. */
export interface CatalogReading {
  /** The catalog's. */
  id: string
  /** The catalog's. */
  name: string
  /** Whether its items are songs or artists. */
  type: CatalogType
  /** Where the page begins. */
  start: number
  /** Items in all. */
  total: number
  /** In the order they came. */
  items: CatalogItem[]
  /** Where the next page starts, unless this was the last; with `after`. */
  next?: number
}

/** `catalog/read`: the items of a catalog, page by page in the order they came, or some by name. */
export const read = method({
  name: 'catalog/read',
  verbs: ['GET'],
  local: ['after'],
  parameters,
  async run(
    context: CatalogRoom,
    given,
    { signal }: Pick<Call, 'signal'>,
  ): Promise<CatalogReading> {
    const { itemId, start, after, results } = given
    const { store } = context
    if (itemId === undefined) {
      const { page, rows } = readRows(context, given, ({ num }) =>
        store.page(num, { after, start, results }),
      )
      const next = after === undefined ? undefined : rows.at(-1)?.num
      return { ...page, start, ...(next !== undefined && { next }) }
    }
    const ids = [...new Set([itemId].flat())]
    const some = (from: number) =>
      readRows(context, given, ({ num }) =>
        ids.slice(from, from + MOST).flatMap((id) => store.item(num, id) ?? []),
      ).page
    const page = some(0)
    for (let from = MOST; from < ids.length; from += MOST) {
      await callTurn(signal)
      page.items.push(...some(from).items)
    }
    return page
  },
})

/** Reads some items in one transaction. */
function readRows(
  context: CatalogRoom,
  { id: catalogId, bucket = [] }: Pick<z.output<typeof parameters>, 'id' | 'bucket'>,
  rowsOf: (catalog: CatalogRow) => ItemRow[],
): { page: CatalogReading; rows: ItemRow[] } {
  return context.song.store.atomically.reading(() => {
    const catalog = findCatalog(context.store, catalogId)
    const describeItem = itemDescriber(context, catalog, [bucket].flat())
    const rows = rowsOf(catalog)
    const { id, name, type, total } = catalog
    return { page: { id, name, type, start: 0, total, items: rows.map(describeItem) }, rows }
  })
}

/** Buckets of keys and values, by both of their names. */
const KEYVALUES = ['kvstore', 'item_keyvalues']

/** @throws {ParameterError} on a bucket that items of the catalog's type do not have */
function itemDescriber(
  context: CatalogRoom,
  catalog: CatalogRow,
  buckets: readonly string[],
): (row: ItemRow) => CatalogItem {
  const known: readonly string[] = catalog.type === 'song' ? SONG_BUCKETS : ARTIST_BUCKETS
  for (const bucket of buckets) {
    if (known.includes(bucket) || KEYVALUES.includes(bucket) || /^id:.+/.test(bucket)) continue
    const all = [...KEYVALUES, ...known].map((one) => `"${one}"`).join(', ')
    throw invalidParameter('bucket', `bucket "${bucket}" is not one of ${all}, or "id:<ID SPACE>"`)
  }
  const data = buckets.filter((bucket) => !KEYVALUES.includes(bucket))
  const asked = catalog.type === 'song' ? split(data) : undefined
  return (row) => {
    const item = plainItem(catalog, row)
    if (asked) describeSong(context, row, item, asked)
    else describeArtist(context, row, item, data)
    const keyvalues = () => JSON.parse(row.keyvalues) as Record<string, string>
    if (buckets.includes('kvstore')) item.kvstore = keyvalues()
    if (buckets.includes('item_keyvalues')) item.itemKeyvalues = keyvalues()
    return item
  }
}

function plainItem({ id, type }: CatalogRow, row: ItemRow): CatalogItem {
  const item: CatalogItem = {
    request: {
      itemId: row.itemId,
      ...(JSON.parse(row.identity) as object),
      ...(JSON.parse(row.details) as object),
    },
    foreignId: formatForeignId({ catalog: id, type, id: row.itemId }),
    dateAdded: timestamp(row.dateAdded),
    lastModified: timestamp(row.lastModified),
  }
  if (row.favorite !== null) item.favorite = row.favorite === 1
  if (row.banned !== null) item.banned = row.banned === 1
  if (row.playCount !== null) item.playCount = row.playCount
  if (row.skipCount !== null) item.skipCount = row.skipCount
  if (row.rating !== null) item.rating = row.rating
  return item
}

function describeSong(context: CatalogRoom, row: ItemRow, item: CatalogItem, asked: Asked): void {
  const song = row.song === null ? undefined : context.song.store.byNum(row.song)
  if (!song) {
    if (row.trackId !== null) item.trackId = row.trackId
    return
  }
  const { id, title, artistId, artistName, ...data } = describe(context.song, song, asked)
  item.songId = id
  item.songName = title
  const trackId = row.trackId ?? song.trackId
  if (trackId !== null) item.trackId = trackId
  if (artistId !== undefined) item.artistId = artistId
  if (artistName !== undefined) item.artistName = artistName
  Object.assign(item, data)
}

function describeArtist(
  context: CatalogRoom,
  row: ItemRow,
  item: CatalogItem,
  buckets: readonly string[],
): void {
  const artist = row.artist === null ? undefined : context.artist.store.byNum(row.artist)
  if (!artist) return
  item.artistId = artist.id
  item.artistName = artist.name
  Object.assign(item, bucketsOf(context.artist, artist, buckets))
}

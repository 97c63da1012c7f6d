import { z } from 'zod'
import { HIGH_RELEVANCE } from '../feed/relevance.ts'
import { method } from '../kernel/method.ts'
import { flag } from '../parameter-types.ts'
import { findCatalog } from './find-catalog.ts'
import type { CatalogRoom } from './room.ts'
import type { DocumentRow } from './store.ts'

const TYPES = ['news', 'blogs', 'reviews', 'audio', 'video'] as const

const parameters = z.strictObject({
  /** `CA…` */
  id: z.string().min(1),
  /** The types of items. Default `news`. */
  bucket: z.union([z.enum(TYPES), z.array(z.enum(TYPES))]).default('news'),
  /** How many are answered at most, 0…100. Default 15. */
  results: z.int().min(0).max(100).default(15),
  /** How many are passed over. Default 0. */
  start: z.int().min(0).default(0),
  /** Only items of this day (`YYYY-MM-DD`) or later, by the date that items are sorted by. */
  since: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, as 2011-07-14')
    .refine(isDay, { error: 'is no day of the calendar' })
    .optional(),
  /** Of news, only items that are highly relevant to an artist of the catalog. Default false. */
  highRelevance: flag.optional(),
  /** Any word that identifies one walk through the pages (ours); at most 64 characters. */
  walk: z.string().min(1).max(64).optional(),
})

function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** What was said of artists somewhere. */
export interface FeedItem {
  /** Its own, for as long as it is kept. */
  id: string
  /** What it is. */
  type: (typeof TYPES)[number]
  /** Its headline or title. */
  name: string
  /** Where it is. */
  url?: string
  /** Harmless HTML, of what came by a feed; of what was imported, as it came. */
  summary?: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  datePosted?: string
  /** Likewise: when a refresh found it. */
  dateFound?: string
  /** The artists it is about, whom it is about most first. */
  references: {
    /** `AR…` */
    artistId: string
    /** As they call themselves. */
    artistName: string
  }[]
}

interface Document {
  name?: string
  title?: string
  url?: string
  summary?: string
}

/**
 * `catalog/feed`: what was said of the artists of the resolved items, all together: the newest first,
 * then by id. Its date is when it was posted; when it was found where that is not known, or would be
 * later. Each item is there once, however many of the artists it is about.
 *
 * A walk through the pages sees what there was at its first page (`start` 0): one for each key and
 * query, or for each `walk`.
 */
export const feed = method({
  name: 'catalog/feed',
  verbs: ['GET'],
  local: ['walk'],
  parameters,
  run(
    { store, feedPages }: CatalogRoom,
    { id, bucket, results, start, since = '', highRelevance, walk },
    { caller },
  ): FeedItem[] {
    const catalog = findCatalog(store, id)
    const kinds = TYPES.filter((type) => [bucket].flat().includes(type))
    const newsRelevance = highRelevance === true ? HIGH_RELEVANCE : 0
    const query = { kinds, since, newsRelevance }
    const walker = JSON.stringify([caller.id, catalog.num, query, walk ?? ''])
    const nums = feedPages.page(
      walker,
      { start, results },
      () => store.newestDocument(),
      (upTo, most) => store.documentsOf(catalog.num, { ...query, upTo, most }),
    )
    // One that was removed since is not there any more.
    return [...nums].flatMap((num) => store.document(num) ?? []).map(describe)
  },
})

function describe(row: DocumentRow): FeedItem {
  const { id, kind, datePosted, dateFound } = row
  const { name, title, url, summary = row.summary } = JSON.parse(row.document) as Document
  const artists = JSON.parse(row.artists) as [id: string, name: string][]
  return {
    id,
    type: kind,
    name: name ?? title ?? '',
    ...(url !== undefined && { url }),
    ...(summary !== null && { summary }),
    ...(datePosted !== null && { datePosted }),
    ...(dateFound !== null && { dateFound }),
    references: artists.map(([artistId, artistName]) => ({ artistId, artistName })),
  }
}

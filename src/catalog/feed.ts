import { z } from 'zod'
import { FEED_TYPES, type FeedType } from '../feed/feed-store.ts'
import { HIGH_RELEVANCE } from '../feed/relevance.ts'
import { method } from '../kernel/method.ts'
import { flag, nonEmpty, oneOrMany, pageParameters } from '../options/parameter-types.ts'
import { known } from '../values/known.ts'
import type { DocumentRow } from './document-store.ts'
import type { CatalogRoom } from './room.ts'

/** A document about artists. */
export interface FeedItem {
  /** Stays the same as long as the document is kept. */
  id: string
  /** The kind of document. */
  type: FeedType
  /** Its headline or title. */
  name: string
  /** Its address. */
  url?: string
  /** From a feed: HTML without active content. From an import: unchanged. */
  summary?: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  datePosted?: string
  /** When a refresh found it, in the same form. */
  dateFound?: string
  /** The artists that it is about, the most relevant first. */
  references: {
    /** `AR…` */
    artistId: string
    /** The artist's own name. */
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
 * `catalog/feed`: documents about the artists of the resolved items, the newest first, then by id.
 * The date of a document is when it was posted, or when it was found if that is earlier or the only
 * known date. A document about several artists appears once.
 *
 * A walk through the pages shows the documents that existed at its first page (`start` 0). There
 * is one walk for each key and query, or for each `walk`.
 */
export const readCatalogFeed = method({
  name: 'catalog/feed',
  verbs: ['GET'],
  local: ['walk'],
  parameters: z.strictObject({
    /** `CA…` */
    id: nonEmpty,
    /** The types of items. Default `news`. */
    bucket: oneOrMany(z.enum(FEED_TYPES)).default('news'),
    ...pageParameters(15),
    /** Only items of this day (`YYYY-MM-DD`) or later, by the date that items are sorted by. */
    since: z.iso.date('must be a day of the calendar, as 2011-07-14').optional(),
    /** For news: only items that are highly relevant to an artist of the catalog. Default false. */
    highRelevance: flag.optional(),
    /** Any word that identifies one walk through the pages (ours); at most 64 characters. */
    walk: nonEmpty.max(64).optional(),
  }),
  run(
    { catalogs, documents, feedPages }: CatalogRoom,
    { id, bucket, results, start, since = '', highRelevance, walk },
    { caller },
  ): FeedItem[] {
    const catalog = catalogs.findCatalog(id)
    const kinds = FEED_TYPES.filter((type) => [bucket].flat().includes(type))
    const newsRelevance = highRelevance === true ? HIGH_RELEVANCE : 0
    const query = { kinds, since, newsRelevance }
    const nums = feedPages.readPage(
      JSON.stringify([caller.id, catalog.num, query, walk ?? '']),
      { start, results },
      () => documents.newestNum() ?? 0,
      (upTo, most) => documents.ofCatalog(catalog.num, { ...query, upTo, most }),
    )
    // A document may have been removed since the first page.
    return [...nums].flatMap((num) => documents.byNum(num) ?? []).map(feedItemOf)
  },
})

function feedItemOf(row: DocumentRow): FeedItem {
  const { id, kind, datePosted, dateFound } = row
  const { name, title, url, summary = row.summary } = JSON.parse(row.document) as Document
  const artists = JSON.parse(row.artists) as [id: string, name: string][]
  return known({
    id,
    type: kind,
    name: name ?? title ?? '',
    url,
    summary,
    datePosted,
    dateFound,
    references: artists.map(([artistId, artistName]) => ({ artistId, artistName })),
  })
}

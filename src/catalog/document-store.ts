import type { FeedType } from '../feed/feed-store.ts'
import { each, one, storeOf, value } from '../kernel/database/statements.ts'

export interface DocumentQuery {
  kinds: readonly string[]
  since: string
  newsRelevance: number
  /** Later documents are left out. */
  upTo: number
  most: number
}

export interface DocumentRow {
  id: string
  kind: FeedType
  document: string
  /** The summary, where the document of this kind has no field for it. */
  summary: string | null
  dateFound: string | null
  datePosted: string | null
  /** JSON: ids and names, the most relevant artist first. */
  artists: string
}

type WantedDocuments = Omit<DocumentQuery, 'kinds' | 'most'> & { catalog: number; kinds: string }

/** Up to this many, sorting a catalog's documents is faster than scanning all. */
const FEW_DOCUMENTS = 2_000
const ARTISTS_OF_CATALOG =
  'SELECT artist FROM catalog_items WHERE catalog = @catalog AND artist IS NOT NULL'

const newestDocuments = (index: string, inCatalog: string) =>
  each<WantedDocuments, { num: number; kind: string; id: string }>(
    `SELECT d.num, d.kind, d.id FROM artist_documents d ${index}
     WHERE ${inCatalog} AND d.kind IN (SELECT value FROM json_each(@kinds))
       AND (@since = '' OR d.date >= @since)
       AND (d.kind <> 'news' OR d.relevance >= @newsRelevance)
       AND d.num <= @upTo
     ORDER BY d.date DESC, d.id, d.kind, d.artist`,
  )

export class DocumentStore extends storeOf({
  newestNum: value<[], number | null>('SELECT max(num) FROM artist_documents'),
  count: value<{ catalog: number; most: number }, number>(
    `SELECT count(*) FROM (SELECT 1 FROM artist_documents
       WHERE artist IN (${ARTISTS_OF_CATALOG}) LIMIT @most)`,
  ),
  sorted: newestDocuments('', `d.artist IN (${ARTISTS_OF_CATALOG})`),
  met: newestDocuments(
    'INDEXED BY artist_documents_newest',
    `EXISTS (SELECT 1 FROM catalog_items c INDEXED BY catalog_items_artist
       WHERE c.artist = d.artist AND c.catalog = @catalog)`,
  ),
  byNum: one<[num: number], DocumentRow>(
    `SELECT d.id, d.kind, coalesce(i.document, d.document) AS document, i.summary,
       d.date_found AS dateFound, d.date_posted AS datePosted,
       (SELECT json_group_array(json_array(o.id, o.name)) FROM (
         SELECT a.id, a.name FROM artist_documents r JOIN artists a ON a.num = r.artist
         WHERE r.id = d.id AND r.kind = d.kind ORDER BY r.relevance DESC, a.num) o) AS artists
     FROM artist_documents d LEFT JOIN feed_items i ON i.num = d.item WHERE d.num = ?`,
  ),
}) {
  /** Numbers, newest first, each document once. */
  ofCatalog(catalog: number, { most, kinds, ...wanted }: DocumentQuery): Int32Array {
    // With many documents, a scan from the newest soon finds enough.
    const isFew = (this.count({ catalog, most: FEW_DOCUMENTS + 1 }) ?? 0) <= FEW_DOCUMENTS
    const walk = isFew ? this.sorted : this.met
    const seen = new Set<string>()
    const nums: number[] = []
    for (const { num, kind, id } of walk({ catalog, kinds: JSON.stringify(kinds), ...wanted })) {
      if (nums.length === most) break
      seen.add(`${kind} ${id}`)
      if (seen.size > nums.length) nums.push(num)
    }
    return Int32Array.from(nums)
  }
}

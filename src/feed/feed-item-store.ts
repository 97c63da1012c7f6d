import { all, exists, one, run, storeOf, value, values } from '../kernel/database/statements.ts'
import type { FeedType } from './feed-store.ts'

export interface NewItem {
  type: FeedType
  id: string
  name: string
  /** JSON. */
  document: string
  /** Where the document of this type has no field for it. */
  summary: string | null
  text: string
  dateFound: string
  datePosted: string | null
}

export interface ItemText extends Pick<NewItem, 'type' | 'id' | 'name' | 'text'> {
  num: number
  dateFound: string
  datePosted: string | null
}

type StoredReference = Pick<ItemText, 'type' | 'id' | 'dateFound' | 'datePosted'> & {
  item: number
  artist: number
  relevance: number
}

const SELECT_FEED_ITEM = `SELECT num, type, id, name, text, date_found AS dateFound, date_posted AS datePosted
  FROM feed_items`

export class FeedItemStore extends storeOf({
  byNum: one<[num: number], ItemText>(`${SELECT_FEED_ITEM} WHERE num = ?`),
  byId: one<[type: FeedType, id: string], ItemText>(
    `${SELECT_FEED_ITEM} WHERE type = ? AND id = ?`,
  ),
  hasAny: exists<[]>('SELECT 1 FROM feed_items LIMIT 1'),
  /** Items found later have higher numbers. */
  add: run<NewItem>(
    `INSERT INTO feed_items
       (type, id, name, document, summary, text, date_found, date_posted, spotted)
     VALUES (@type, @id, @name, @document, @summary, @text, @dateFound, @datePosted, 0)`,
  ),
  update: run<NewItem & { num: number }>(
    `UPDATE feed_items SET name = @name, document = @document, summary = @summary, text = @text,
       date_posted = @datePosted WHERE num = @num`,
  ),

  digests: all<[feed: number], { key: string; digest: string }>(
    'SELECT key, digest FROM feed_entries WHERE feed = ?',
  ),
  ofEntry: value<[feed: number, key: string], number>(
    'SELECT item FROM feed_entries WHERE feed = ? AND key = ?',
  ),
  putEntry: run<{ feed: number; key: string; digest: string; item: number }>(
    `INSERT INTO feed_entries (feed, key, digest, item) VALUES (@feed, @key, @digest, @item)
     ON CONFLICT DO UPDATE SET digest = excluded.digest, item = excluded.item`,
  ),
  isInFeed: exists<[item: number, feed: number]>(
    'SELECT 1 FROM feed_entries WHERE item = ? AND feed = ? LIMIT 1',
  ),

  ownArtists: all<[item: number], { num: number; name: string }>(
    `SELECT DISTINCT a.num, a.name FROM feed_entries e JOIN feeds f ON f.num = e.feed
     JOIN artists a ON a.num = f.artist WHERE e.item = ? AND f.state < 2 ORDER BY a.num`,
  ),
  /** Last searched for artists when another number of names was known. */
  unspotted: values<{ spotted: number; most: number }, number>(
    `SELECT num FROM feed_items WHERE spotted < @spotted
     UNION ALL SELECT num FROM feed_items WHERE spotted > @spotted LIMIT @most`,
  ),
  setSpotted: run<[spotted: number, num: number]>(
    'UPDATE feed_items SET spotted = ? WHERE num = ?',
  ),
  referred: values<[item: number], number>('SELECT artist FROM artist_documents WHERE item = ?'),
  // An imported document stays unchanged.
  putReference: run<StoredReference>(
    `INSERT INTO artist_documents
       (artist, kind, id, document, date_found, date_posted, item, relevance)
     VALUES (@artist, @type, @id, NULL, @dateFound, @datePosted, @item, @relevance)
     ON CONFLICT (artist, kind, id) DO UPDATE
       SET relevance = excluded.relevance, date_posted = excluded.date_posted
       WHERE item = excluded.item`,
  ),
  removeReference: run<[item: number, artist: number]>(
    'DELETE FROM artist_documents WHERE item = ? AND artist = ?',
  ),
}) {
  /** The rows of artists that stay keep their numbers. */
  setReferences(
    { num: item, type, id, dateFound, datePosted }: ItemText,
    references: readonly { artist: number; relevance: number }[],
  ): void {
    const wantedArtists = new Set(references.map(({ artist }) => artist))
    for (const artist of this.referred(item)) {
      if (!wantedArtists.has(artist)) this.removeReference(item, artist)
    }
    for (const { artist, relevance } of references) {
      this.putReference({ artist, relevance, item, type, id, dateFound, datePosted })
    }
  }
}

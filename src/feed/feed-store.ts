import { all, exists, one, run, storeOf, value, values } from '../kernel/database/statements.ts'
import { unknownIdentifier } from '../values/errors.ts'

/** The types of feeds. */
export const FEED_TYPES = ['news', 'blogs', 'reviews', 'audio', 'video'] as const
/** The type of the items of a feed. */
export type FeedType = (typeof FEED_TYPES)[number]

export interface Refreshed {
  num: number
  url: string
  title: string | null
  link: string | null
  etag: string | null
  lastModified: string | null
  /** Of the bytes that the server sent last. */
  body: string | null
  checkedAt: number | null
  dueAt: number
  /** In a row, and why the last one did. */
  failures: number
  error: string | null
  /** In the last refresh. */
  found: number
  changed: 0 | 1
}

export interface FeedRow extends Refreshed {
  id: string
  type: FeedType
  artist: number | null
  artistId: string | null
  artistName: string | null
  /** 1 while a refresh is requested; 2 while it is being removed. */
  state: 0 | 1 | 2
}

const SELECT_FEED = `
SELECT f.num, f.id, f.url, f.type, f.artist, a.id AS artistId, a.name AS artistName, f.title, f.link,
  f.state, f.etag, f.last_modified AS lastModified, f.body, f.checked_at AS checkedAt,
  f.due_at AS dueAt, f.failures, f.error, f.found, f.changed
FROM feeds f LEFT JOIN artists a ON a.num = f.artist`

export class FeedStore extends storeOf({
  /** Not those that are being removed. */
  byId: one<[id: string], FeedRow>(`${SELECT_FEED} WHERE f.id = ? AND f.state < 2`),
  /** 0 for no artist. */
  same: one<[url: string, type: FeedType, artist: number], FeedRow>(
    `${SELECT_FEED} WHERE f.url = ? AND f.type = ? AND coalesce(f.artist, 0) = ? AND f.state < 2`,
  ),
  list: all<[], FeedRow>(`${SELECT_FEED} WHERE f.state < 2 ORDER BY f.num`),
  add: run<{ id: string; url: string; type: FeedType; artist: number | null; now: number }>(
    `INSERT INTO feeds (id, url, type, artist, due_at, created_at)
     VALUES (@id, @url, @type, @artist, @now, @now)`,
  ),
  countItems: value<[num: number], number>(
    'SELECT count(DISTINCT item) FROM feed_entries WHERE feed = ?',
  ),
  countAllItems: all<[], { feed: number; items: number }>(
    'SELECT feed, count(DISTINCT item) AS items FROM feed_entries GROUP BY feed',
  ),
  ask: run<[num: number]>('UPDATE feeds SET state = 1 WHERE num = ? AND state = 0'),
  due: all<[now: number], Pick<FeedRow, 'num' | 'id'>>(
    'SELECT num, id FROM feeds WHERE state = 1 OR (state = 0 AND due_at <= ?) ORDER BY due_at, num',
  ),
  nextDue: value<[], number | null>('SELECT min(due_at) FROM feeds WHERE state = 0'),
  /** A new address is ignored when another feed has it, with the same type and artist. */
  refreshed: run<Refreshed>(
    `UPDATE feeds SET state = 0, title = @title, link = @link,
       etag = @etag, last_modified = @lastModified, body = @body, checked_at = @checkedAt,
       due_at = @dueAt, failures = @failures, error = @error, found = @found, changed = @changed,
       url = iif(EXISTS (SELECT 1 FROM feeds o WHERE o.url = @url AND o.type = feeds.type
         AND coalesce(o.artist, 0) = coalesce(feeds.artist, 0) AND o.state < 2), url, @url)
     WHERE num = @num AND state < 2`,
  ),
  /** The job in `remove.ts` removes its entries. */
  markRemoved: run<[num: number]>('UPDATE feeds SET state = 2 WHERE num = ?'),
  exists: exists<[num: number]>('SELECT 1 FROM feeds WHERE num = ?'),
  removeEntries: values<{ num: number; most: number }, number>(
    `DELETE FROM feed_entries WHERE feed = @num AND key IN
       (SELECT key FROM feed_entries WHERE feed = @num LIMIT @most)
     RETURNING item`,
  ),
  removeItem: run<[item: number]>(
    `DELETE FROM feed_items WHERE num = ?
     AND NOT EXISTS (SELECT 1 FROM feed_entries WHERE item = num)`,
  ),
  remove: run<[num: number]>('DELETE FROM feeds WHERE num = ?'),
}) {
  /** @throws {ParameterError} `unknown_identifier` */
  findFeed(id: string): FeedRow {
    const feed = this.byId(id)
    if (feed) return feed
    throw unknownIdentifier(id)
  }

  /** With the items that no other feed has. */
  removeSome(num: number, maxEntries: number): number[] | undefined {
    const items = this.removeEntries({ num, most: maxEntries })
    if (items.length > 0)
      return [...new Set(items)].filter((item) => this.removeItem(item).changes === 0)
    this.remove(num)
    return undefined
  }
}

import type { Database } from 'better-sqlite3'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'

/** What a feed is of. */
export type FeedType = 'news' | 'blogs' | 'reviews' | 'audio' | 'video'

/** A feed as stored. */
export interface FeedRow {
  num: number
  id: string
  url: string
  type: FeedType
  artist: number | null
  artistId: string | null
  artistName: string | null
  title: string | null
  link: string | null
  /** 1 while a refresh is asked for; 2 while it is being removed. */
  state: 0 | 1 | 2
  etag: string | null
  lastModified: string | null
  body: string | null
  checkedAt: number | null
  dueAt: number
  failures: number
  error: string | null
  found: number
  changed: 0 | 1
}

/** What came of a refresh. */
export interface Refreshed {
  num: number
  url: string
  title: string | null
  link: string | null
  etag: string | null
  lastModified: string | null
  body: string | null
  checkedAt: number
  dueAt: number
  failures: number
  error: string | null
  found: number
  changed: 0 | 1
}

/** An item as it is written. */
export interface NewItem {
  type: FeedType
  id: string
  name: string
  /** JSON. */
  document: string
  /** Of documents whose shape has none. */
  summary: string | null
  text: string
  dateFound: string
  datePosted: string | null
}

interface Spotted {
  num: number
  spotted: number
}

/** An item whose names are to be looked for. */
export interface ItemText {
  num: number
  type: FeedType
  id: string
  name: string
  text: string
  dateFound: string
  datePosted: string | null
}

const FEED = `
SELECT f.num, f.id, f.url, f.type, f.artist, a.id AS artistId, a.name AS artistName, f.title, f.link,
  f.state, f.etag, f.last_modified AS lastModified, f.body, f.checked_at AS checkedAt,
  f.due_at AS dueAt, f.failures, f.error, f.found, f.changed
FROM feeds f LEFT JOIN artists a ON a.num = f.artist`

/** Rows of artists in one block of their columns (database/columns.ts). */
const BLOCK = 512
/** Entries of a feed that are removed together. */
const REMOVED_TOGETHER = 100

/** The tables of feeds, their entries and items, and the artists that those are about. */
export class FeedStore {
  readonly atomically: Transaction
  readonly #db: Database
  readonly #byId
  readonly #entry
  readonly #putEntry
  readonly #item
  readonly #insertItem
  readonly #updateItem
  readonly #references
  readonly #putReference
  readonly #dropReference

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.#byId = db.prepare<[string], FeedRow>(`${FEED} WHERE f.id = ? AND f.state < 2`)
    this.#entry = db
      .prepare<[number, string], number>('SELECT item FROM feed_entries WHERE feed = ? AND key = ?')
      .pluck()
    this.#putEntry = db.prepare<[number, string, string, number]>(
      `INSERT INTO feed_entries (feed, key, digest, item) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET digest = excluded.digest, item = excluded.item`,
    )
    this.#item = db.prepare<[string, string], { num: number; name: string }>(
      'SELECT num, name FROM feed_items WHERE type = ? AND id = ?',
    )
    this.#insertItem = db.prepare<NewItem & { spotted: number }>(
      `INSERT INTO feed_items
         (type, id, name, document, summary, text, date_found, date_posted, spotted)
       VALUES
         (@type, @id, @name, @document, @summary, @text, @dateFound, @datePosted, @spotted)`,
    )
    this.#updateItem = db.prepare<Omit<NewItem, 'type' | 'id' | 'dateFound'> & Spotted>(
      `UPDATE feed_items SET name = @name, document = @document, summary = @summary, text = @text,
         date_posted = @datePosted, spotted = @spotted WHERE num = @num`,
    )
    this.#references = db.prepare<[number], { artist: number; relevance: number }>(
      'SELECT artist, relevance FROM artist_documents WHERE item = ?',
    )
    // A document that was imported stays what it is.
    this.#putReference = db.prepare<{
      artist: number
      relevance: number
      item: number
      type: string
      id: string
      dateFound: string
      datePosted: string | null
    }>(
      `INSERT INTO artist_documents
         (artist, kind, id, document, date_found, date_posted, item, relevance)
       VALUES (@artist, @type, @id, NULL, @dateFound, @datePosted, @item, @relevance)
       ON CONFLICT (artist, kind, id) DO UPDATE
         SET relevance = excluded.relevance, date_posted = excluded.date_posted
         WHERE item = excluded.item`,
    )
    this.#dropReference = db.prepare<[number, number]>(
      'DELETE FROM artist_documents WHERE item = ? AND artist = ?',
    )
  }

  /** A feed by its id, unless it is being removed. */
  byId(id: string): FeedRow | undefined {
    return this.#byId.get(id)
  }

  /** The feed of an address that is the same in all that was asked for. */
  same(url: string, type: FeedType, artist: number | null): FeedRow | undefined {
    return this.#db
      .prepare<[string, string, number], FeedRow>(
        `${FEED} WHERE f.url = ? AND f.type = ? AND coalesce(f.artist, 0) = ? AND f.state < 2`,
      )
      .get(url, type, artist ?? 0)
  }

  add(feed: { id: string; url: string; type: FeedType; artist: number | null; now: number }): void {
    this.#db
      .prepare(
        `INSERT INTO feeds (id, url, type, artist, due_at, created_at)
         VALUES (@id, @url, @type, @artist, @now, @now)`,
      )
      .run(feed)
  }

  /** All feeds in the order they were added. */
  list(): FeedRow[] {
    return this.#db.prepare<[], FeedRow>(`${FEED} WHERE f.state < 2 ORDER BY f.num`).all()
  }

  /** How many items each feed has, by its number. */
  countItems(): Map<number, number> {
    const counts = this.#db
      .prepare<[], [number, number]>(
        'SELECT feed, count(DISTINCT item) FROM feed_entries GROUP BY feed',
      )
      .raw()
      .all()
    return new Map(counts)
  }

  /** How many items a feed has. */
  countItemsOf(feed: number): number {
    return this.#db
      .prepare<[number], number>('SELECT count(DISTINCT item) FROM feed_entries WHERE feed = ?')
      .pluck()
      .get(feed) as number
  }

  /** Notes that a refresh is asked for. */
  ask(num: number): void {
    this.#db.prepare('UPDATE feeds SET state = 1 WHERE num = ? AND state = 0').run(num)
  }

  /** Feeds whose time has come, and those that were asked for. */
  due(now: number): string[] {
    return this.#db
      .prepare<[number], string>(
        'SELECT id FROM feeds WHERE state = 1 OR (state = 0 AND due_at <= ?) ORDER BY due_at, num',
      )
      .pluck()
      .all(now)
  }

  /** When the next feed is due; `undefined` if there is none that waits. */
  nextDue(): number | undefined {
    return (
      this.#db
        .prepare<[], number | null>('SELECT min(due_at) FROM feeds WHERE state = 0')
        .pluck()
        .get() ?? undefined
    )
  }

  /** Writes what came of a refresh, unless the feed is gone. */
  refreshed(feed: Refreshed): void {
    this.#db
      .prepare<Refreshed>(
        `UPDATE feeds SET state = 0, title = @title, link = @link,
           etag = @etag, last_modified = @lastModified, body = @body, checked_at = @checkedAt,
           due_at = @dueAt, failures = @failures, error = @error, found = @found, changed = @changed,
           url = iif(EXISTS (SELECT 1 FROM feeds o WHERE o.url = @url AND o.type = feeds.type
             AND coalesce(o.artist, 0) = coalesce(feeds.artist, 0) AND o.state < 2), url, @url)
         WHERE num = @num AND state < 2`,
      )
      .run(feed)
  }

  /** The entries of a feed and the digests of what they said. */
  digests(feed: number): Map<string, string> {
    return new Map(
      this.#db
        .prepare<[number], [string, string]>('SELECT key, digest FROM feed_entries WHERE feed = ?')
        .raw()
        .all(feed),
    )
  }

  /** The number of the item that an entry of a feed is. */
  itemOfEntry(feed: number, key: string): number | undefined {
    return this.#entry.get(feed, key)
  }

  /** The item of an id. */
  item(type: FeedType, id: string): { num: number; name: string } | undefined {
    return this.#item.get(type, id)
  }

  putEntry(feed: number, key: string, digest: string, item: number): void {
    this.#putEntry.run(feed, key, digest, item)
  }

  /** Adds an item; its number. Those found later have higher ones. */
  addItem(item: NewItem, spotted: number): number {
    return Number(this.#insertItem.run({ ...item, spotted }).lastInsertRowid)
  }

  /** Writes an item anew; when it was found stays. */
  updateItem(num: number, item: NewItem, spotted: number): void {
    const { name, document, summary, text, datePosted } = item
    this.#updateItem.run({ num, name, document, summary, text, datePosted, spotted })
  }

  /** Replaces the artists that an item is about; rows that stay keep their places. */
  setReferences(
    item: Omit<ItemText, 'name' | 'text'>,
    references: readonly { artist: number; relevance: number }[],
  ): void {
    const wanted = new Set(references.map(({ artist }) => artist))
    for (const { artist } of this.#references.all(item.num)) {
      if (!wanted.has(artist)) this.#dropReference.run(item.num, artist)
    }
    const { num, type, id, dateFound, datePosted } = item
    for (const { artist, relevance } of references) {
      this.#putReference.run({ artist, relevance, item: num, type, id, dateFound, datePosted })
    }
  }

  /** Whether a feed has the item already, as another entry. */
  has(feed: number, item: number): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM feed_entries WHERE item = ? AND feed = ? LIMIT 1')
        .get(item, feed) !== undefined
    )
  }

  /** The artists of the feeds that an item is in. */
  ownArtists(item: number): { num: number; name: string }[] {
    return this.#db
      .prepare<[number], { num: number; name: string }>(
        `SELECT DISTINCT a.num, a.name FROM feed_entries e JOIN feeds f ON f.num = e.feed
         JOIN artists a ON a.num = f.artist WHERE e.item = ? AND f.state < 2 ORDER BY a.num`,
      )
      .all(item)
  }

  /** When an item was found, and what else its references carry. */
  itemByNum(num: number): ItemText | undefined {
    return this.#db
      .prepare<[number], ItemText>(
        `SELECT num, type, id, name, text, date_found AS dateFound, date_posted AS datePosted
         FROM feed_items WHERE num = ?`,
      )
      .get(num)
  }

  /** Items in which names were looked for when other ones were known. */
  unspotted(spotted: number, results: number): ItemText[] {
    return this.#db
      .prepare<{ spotted: number; results: number }, ItemText>(
        `SELECT num, type, id, name, text, date_found AS dateFound, date_posted AS datePosted
         FROM feed_items WHERE num IN (
           SELECT num FROM feed_items WHERE spotted < @spotted
           UNION ALL SELECT num FROM feed_items WHERE spotted > @spotted LIMIT @results)`,
      )
      .all({ spotted, results })
  }

  setSpotted(num: number, spotted: number): void {
    this.#db.prepare('UPDATE feed_items SET spotted = ? WHERE num = ?').run(spotted, num)
  }

  get hasItems(): boolean {
    return this.#db.prepare('SELECT 1 FROM feed_items LIMIT 1').get() !== undefined
  }

  /** Marks a feed as being removed: nobody sees it from then on. */
  removing(num: number): void {
    this.#db.prepare('UPDATE feeds SET state = 2 WHERE num = ?').run(num)
  }

  /** Whether anything of a feed is left. */
  isLeft(num: number): boolean {
    return this.#db.prepare('SELECT 1 FROM feeds WHERE num = ?').get(num) !== undefined
  }

  /**
   * Removes a piece of a feed, with the items that no other feed has; the numbers of those that stay
   * behind in others, or `undefined` when all of the feed is gone.
   */
  removeSome(feed: number): number[] | undefined {
    const items = this.#db
      .prepare<[number, number], number>(
        `DELETE FROM feed_entries WHERE feed = ? AND key IN
           (SELECT key FROM feed_entries WHERE feed = ? LIMIT ${REMOVED_TOGETHER})
         RETURNING item`,
      )
      .pluck()
      .all(feed, feed)
    if (items.length === 0) {
      this.#db.prepare('DELETE FROM feeds WHERE num = ?').run(feed)
      return undefined
    }
    const drop = this.#db.prepare(
      'DELETE FROM feed_items WHERE num = ? AND NOT EXISTS (SELECT 1 FROM feed_entries WHERE item = num)',
    )
    return [...new Set(items)].filter((num) => drop.run(num).changes === 0)
  }

  /** Names of artists by their keys, in pages. */
  nameKeys(after: string, results: number): string[] {
    return this.#db
      .prepare<[string, number], string>(
        'SELECT DISTINCT name_key FROM artist_names WHERE name_key > ? ORDER BY name_key LIMIT ?',
      )
      .pluck()
      .all(after, results)
  }

  /** How far the artists have come; grows with each change of one. */
  artistRevision(): number {
    return (
      this.#db
        .prepare<[], number | null>('SELECT max(revision) FROM artist_columns')
        .pluck()
        .get() ?? 0
    )
  }

  /** Names of the artists about those that changed since a revision, and the blocks they are in. */
  blocksSince(revision: number): number[] {
    return this.#db
      .prepare<[number], number>(
        'SELECT block FROM artist_columns WHERE revision > ? ORDER BY block',
      )
      .pluck()
      .all(revision)
  }

  /** The keys of the names of the artists of a block. */
  nameKeysOfBlock(block: number): string[] {
    return this.#db
      .prepare<[number, number], string>(
        'SELECT name_key FROM artist_names WHERE artist >= ? AND artist < ?',
      )
      .pluck()
      .all(block * BLOCK, (block + 1) * BLOCK)
  }
}

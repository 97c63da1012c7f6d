import type { Database } from 'better-sqlite3'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'
import type { CatalogType } from './item.ts'

/** A catalog as stored. */
export interface CatalogRow {
  num: number
  id: string
  keyId: string
  name: string
  type: CatalogType
  /** Items in it. */
  total: number
  /** Keys and values of its own, as JSON. */
  keyvalues: string
}

/** An item as stored. */
export interface ItemRow {
  num: number
  catalog: number
  itemId: string
  /** JSON. */
  identity: string
  details: string
  keyvalues: string
  favorite: 0 | 1 | null
  banned: 0 | 1 | null
  playCount: number | null
  skipCount: number | null
  rating: number | null
  heat: number
  heatAt: number
  /** Numbers of the song and the artist that it was resolved to. */
  song: number | null
  artist: number | null
  trackId: string | null
  /** The ticket whose resolution is still to come. */
  ticket: number | null
  /** The state of the songs and artists when resolution was last tried. */
  tried: number
  dateAdded: number
  lastModified: number
}

/** What is written of an item. */
export type ItemState = Omit<ItemRow, 'num' | 'tried'>

/** How far an update has come. */
export interface TicketRow {
  num: number
  id: string
  catalog: number
  catalogId: string
  state: 'open' | 'accepted' | 'checked' | 'applied' | 'complete' | 'error'
  /** Whether local files that items name are to be analysed. */
  analyze: 0 | 1
  totalItems: number
  applied: number
  updated: number
  /** Items that are to be resolved, and how many of them were tried. */
  toResolve: number
  resolved: number
  details: string | null
  acceptedAt: number | null
}

/** What is listened to of one artist or song. */
export interface ListeningRow {
  num: number
  /** Catalogs it is in, items of them, and plays of those. */
  listeners: number
  items: number
  plays: number
  heats: { heat: number; at: number }[]
}

/** Which documents about the artists of a catalog are asked for. */
export interface DocumentQuery {
  kinds: readonly string[]
  /** Only what was found then or later; `''` for all. */
  since: string
  /** Of news, only what is so much about an artist of the catalog. */
  newsRelevance: number
  upTo: number
  most: number
}

/** A document about artists, for a feed. */
export interface DocumentRow {
  id: string
  kind: 'news' | 'blogs' | 'reviews' | 'audio' | 'video'
  /** JSON. */
  document: string
  /** Of documents whose shape has none. */
  summary: string | null
  dateFound: string | null
  datePosted: string | null
  /** JSON: ids and names, whom it is about most first. */
  artists: string
}

/** Entries that were accepted and not yet applied. */
export interface BatchRow {
  seq: number
  /** JSON array. */
  entries: string
  /** So many of them were applied in steps before. */
  applied: number
}

/** Characters of what is told of an entry at most. */
const LONGEST_INFO = 300

const CATALOG = 'SELECT num, id, key_id AS keyId, name, type, total, keyvalues FROM catalogs'
const ITEM = `
SELECT num, catalog, item_id AS itemId, identity, details, keyvalues, favorite, banned,
  play_count AS playCount, skip_count AS skipCount, rating, heat, heat_at AS heatAt, song, artist,
  track_id AS trackId, ticket, tried, date_added AS dateAdded, last_modified AS lastModified
FROM catalog_items`
/** To the letter as in the index of updates that are not at their end. */
const UNFINISHED = "t.state NOT IN ('complete', 'error')"
const TICKET = `
SELECT t.num, t.id, t.catalog, c.id AS catalogId, t.state, t.analyze, t.total_items AS totalItems,
  t.applied, t.updated, t.to_resolve AS toResolve, t.resolved, t.details, t.accepted_at AS acceptedAt
FROM tickets t JOIN catalogs c ON c.num = t.catalog`

/** Documents up to which it is quicker to sort those of a catalog than to pass over those of others. */
const FEW_DOCUMENTS = 2_000
const ARTISTS_OF_CATALOG =
  'SELECT artist FROM catalog_items WHERE catalog = @catalog AND artist IS NOT NULL'
const IN_CATALOG = `EXISTS (SELECT 1 FROM catalog_items c INDEXED BY catalog_items_artist
  WHERE c.artist = d.artist AND c.catalog = @catalog)`

const DOCUMENT = `
SELECT d.id, d.kind, coalesce(i.document, d.document) AS document, i.summary,
  d.date_found AS dateFound, d.date_posted AS datePosted,
  (SELECT json_group_array(json_array(o.id, o.name)) FROM (
    SELECT a.id, a.name FROM artist_documents r JOIN artists a ON a.num = r.artist
    WHERE r.id = d.id AND r.kind = d.kind ORDER BY r.relevance DESC, a.num) o) AS artists
FROM artist_documents d LEFT JOIN feed_items i ON i.num = d.item WHERE d.num = ?`

/** What a deleted catalog holds, some of it at a time. */
const OF_GONE = [
  'DELETE FROM catalog_items WHERE num IN (SELECT num FROM catalog_items WHERE catalog = ? LIMIT ?)',
  `DELETE FROM ticket_infos WHERE num IN (
     SELECT i.num FROM tickets t JOIN ticket_infos i ON i.ticket = t.num WHERE t.catalog = ? LIMIT ?)`,
  'DELETE FROM tickets WHERE num IN (SELECT num FROM tickets WHERE catalog = ? LIMIT ?)',
]

/** The tables of catalogs, their items and their tickets. */
export class CatalogStore {
  readonly atomically: Transaction
  readonly #db: Database
  readonly #byId
  readonly #item
  readonly #itemByNum
  readonly #insertItem
  readonly #updateItem
  readonly #deleteItem
  readonly #grow
  readonly #ticket
  readonly #ticketByNum
  readonly #firstUnapplied
  readonly #insertBatch
  readonly #growTicket
  readonly #firstBatch
  readonly #batchAt
  readonly #setBatchApplied
  readonly #deleteBatch
  readonly #advance
  readonly #countResolution
  readonly #insertInfo
  readonly #typeOf
  readonly #pending
  readonly #resolve
  readonly #namesake
  readonly #document

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.#document = db.prepare<[number], DocumentRow>(DOCUMENT)
    this.#byId = db.prepare<[string], CatalogRow>(`${CATALOG} WHERE id = ?`)
    this.#item = db.prepare<[number, string], ItemRow>(`${ITEM} WHERE catalog = ? AND item_id = ?`)
    this.#itemByNum = db.prepare<[number], ItemRow>(`${ITEM} WHERE num = ?`)
    this.#insertItem = db.prepare<ItemState>(
      `INSERT INTO catalog_items (catalog, item_id, identity, details, keyvalues, favorite, banned,
         play_count, skip_count, rating, heat, heat_at, song, artist, track_id, ticket, date_added,
         last_modified)
       VALUES (@catalog, @itemId, @identity, @details, @keyvalues, @favorite, @banned, @playCount,
         @skipCount, @rating, @heat, @heatAt, @song, @artist, @trackId, @ticket, @dateAdded,
         @lastModified)`,
    )
    this.#updateItem = db.prepare<ItemState & Pick<ItemRow, 'num'>>(
      `UPDATE catalog_items SET identity = @identity, details = @details, keyvalues = @keyvalues,
         favorite = @favorite, banned = @banned, play_count = @playCount, skip_count = @skipCount,
         rating = @rating, heat = @heat, heat_at = @heatAt, song = @song, artist = @artist,
         track_id = @trackId, ticket = @ticket, last_modified = @lastModified
       WHERE num = @num`,
    )
    this.#deleteItem = db.prepare<[number]>('DELETE FROM catalog_items WHERE num = ?')
    this.#grow = db.prepare<[number, number]>('UPDATE catalogs SET total = total + ? WHERE num = ?')
    this.#ticket = db.prepare<[string], TicketRow>(`${TICKET} WHERE t.id = ? AND c.gone = 0`)
    this.#ticketByNum = db.prepare<[number], TicketRow>(`${TICKET} WHERE t.num = ?`)
    this.#firstUnapplied = db.prepare<[number], TicketRow>(
      `${TICKET} WHERE t.catalog = ? AND ${UNFINISHED} AND t.state IN ('accepted', 'checked')
       ORDER BY t.turn LIMIT 1`,
    )
    this.#insertBatch = db.prepare<{ num: number; entries: string }>(
      `INSERT INTO ticket_batches (ticket, seq, entries)
       SELECT @num, coalesce(max(seq), -1) + 1, @entries FROM ticket_batches WHERE ticket = @num`,
    )
    this.#growTicket = db.prepare<[number, number]>(
      'UPDATE tickets SET total_items = total_items + ? WHERE num = ?',
    )
    const batch = 'SELECT seq, entries, applied FROM ticket_batches WHERE ticket = ?'
    this.#firstBatch = db.prepare<[number], BatchRow>(`${batch} ORDER BY seq LIMIT 1`)
    this.#batchAt = db.prepare<[number, number], BatchRow>(
      `${batch} AND seq >= ? ORDER BY seq LIMIT 1`,
    )
    this.#setBatchApplied = db.prepare<[number, number, number]>(
      'UPDATE ticket_batches SET applied = ? WHERE ticket = ? AND seq = ?',
    )
    this.#deleteBatch = db.prepare<[number, number]>(
      'DELETE FROM ticket_batches WHERE ticket = ? AND seq = ?',
    )
    this.#advance = db.prepare<{ num: number; applied: number; updated: number }>(
      'UPDATE tickets SET applied = applied + @applied, updated = updated + @updated WHERE num = @num',
    )
    this.#countResolution = db.prepare<[number, number]>(
      'UPDATE tickets SET resolved = resolved + ? WHERE num = ?',
    )
    this.#typeOf = db
      .prepare<[number], CatalogType>('SELECT type FROM catalogs WHERE num = ?')
      .pluck()
    this.#insertInfo = db.prepare<[number, string | null, string]>(
      'INSERT INTO ticket_infos (ticket, item_id, info) VALUES (?, ?, ?)',
    )
    this.#pending = db.prepare<[number, number], ItemRow>(
      `${ITEM} WHERE ticket = ? ORDER BY num LIMIT ?`,
    )
    this.#resolve = db.prepare<{
      num: number
      song: number | null
      artist: number | null
      trackId: string | null
      tried: number
    }>(
      `UPDATE catalog_items SET song = @song, artist = @artist,
         track_id = coalesce(@trackId, track_id), ticket = NULL, tried = @tried
       WHERE num = @num`,
    )
    this.#namesake = db
      .prepare<[string, string], number>('SELECT 1 FROM catalogs WHERE key_id = ? AND name = ?')
      .pluck()
  }

  // Catalogs

  byId(id: string): CatalogRow | undefined {
    return this.#byId.get(id)
  }

  byName(keyId: string, name: string): CatalogRow | undefined {
    return this.#db
      .prepare<[string, string], CatalogRow>(`${CATALOG} WHERE key_id = ? AND name = ?`)
      .get(keyId, name)
  }

  isTaken(keyId: string, name: string): boolean {
    return this.#namesake.get(keyId, name) === 1
  }

  add(catalog: Pick<CatalogRow, 'id' | 'keyId' | 'name' | 'type'> & { now: number }): void {
    this.#db
      .prepare(
        `INSERT INTO catalogs (id, key_id, name, type, created_at)
         VALUES (@id, @keyId, @name, @type, @now)`,
      )
      .run(catalog)
  }

  /** Deletes a catalog: it is found no more. What it holds is removed by {@link removeGone}. */
  remove(num: number): void {
    this.#db
      .prepare(
        `UPDATE catalogs SET gone = 1, total = 0, id = id || ' gone', name = id || ' gone'
         WHERE num = ?`,
      )
      .run(num)
  }

  /** Removes some rows of deleted catalogs; whether there may be more. */
  removeGone(most: number): boolean {
    const num = this.#db
      .prepare<[], number>('SELECT num FROM catalogs WHERE gone = 1 LIMIT 1')
      .pluck()
      .get()
    if (num === undefined) return false
    for (const some of OF_GONE) {
      if (this.#db.prepare<[number, number]>(some).run(num, most).changes > 0) return true
    }
    this.#db.prepare('DELETE FROM catalogs WHERE num = ?').run(num)
    return true
  }

  countOf(keyId: string): number {
    return this.#db
      .prepare<[string], number>('SELECT count(*) FROM catalogs WHERE key_id = ? AND gone = 0')
      .pluck()
      .get(keyId) as number
  }

  /** The catalogs of a key, in the order they were made. */
  list(keyId: string, start: number, results: number): CatalogRow[] {
    return this.#db
      .prepare<[string, number, number], CatalogRow>(
        `${CATALOG} WHERE key_id = ? AND gone = 0 ORDER BY num LIMIT ? OFFSET ?`,
      )
      .all(keyId, results, start)
  }

  /** How many items of a catalog are resolved. */
  countResolved({ num, type }: CatalogRow): number {
    return this.#db
      .prepare<[number], number>(
        `SELECT count(${type === 'song' ? 'song' : 'artist'}) FROM catalog_items WHERE catalog = ?`,
      )
      .pluck()
      .get(num) as number
  }

  setKeyvalues(num: number, keyvalues: string): void {
    this.#db.prepare('UPDATE catalogs SET keyvalues = ? WHERE num = ?').run(keyvalues, num)
  }

  // Items

  item(catalog: number, itemId: string): ItemRow | undefined {
    return this.#item.get(catalog, itemId)
  }

  itemByNum(num: number): ItemRow | undefined {
    return this.#itemByNum.get(num)
  }

  addItem(item: ItemState): void {
    this.#insertItem.run(item)
    this.#grow.run(1, item.catalog)
  }

  updateItem(item: ItemState & Pick<ItemRow, 'num'>): void {
    this.#updateItem.run(item)
  }

  removeItem({ num, catalog }: ItemRow): void {
    this.#deleteItem.run(num)
    this.#grow.run(-1, catalog)
  }

  /** A page of items, in the order they came; of those that came after one, by its number. */
  page(
    catalog: number,
    { after = 0, start, results }: { after?: number | undefined; start: number; results: number },
  ): ItemRow[] {
    // The offset is counted in the index: the rows before it are not read.
    return this.#db
      .prepare<[number, number, number, number], ItemRow>(
        `${ITEM} WHERE num IN (
           SELECT num FROM catalog_items INDEXED BY catalog_items_catalog
           WHERE catalog = ? AND num > ? ORDER BY num LIMIT ? OFFSET ?) ORDER BY num`,
      )
      .all(catalog, after, results, start)
  }

  itemIds(catalog: number): string[] {
    return this.#db
      .prepare<[number], string>('SELECT item_id FROM catalog_items WHERE catalog = ?')
      .pluck()
      .all(catalog)
  }

  // Tickets

  ticket(id: string): TicketRow | undefined {
    return this.#ticket.get(id)
  }

  ticketByNum(num: number): TicketRow | undefined {
    return this.#ticketByNum.get(num)
  }

  addTicket(ticket: { id: string; catalog: number; analyze: boolean; now: number }): void {
    this.#db
      .prepare(
        `INSERT INTO tickets (id, catalog, state, analyze, created_at)
         VALUES (@id, @catalog, 'open', @analyze, @now)`,
      )
      .run({ ...ticket, analyze: ticket.analyze ? 1 : 0 })
  }

  addBatch({ num }: TicketRow, entries: string, count: number): void {
    this.#insertBatch.run({ num, entries })
    this.#growTicket.run(count, num)
  }

  accept({ num, catalog }: TicketRow, now: number): void {
    this.#db
      .prepare(
        `UPDATE tickets SET state = 'accepted', accepted_at = @now,
           turn = (SELECT coalesce(max(turn), 0) + 1 FROM tickets t
             WHERE catalog = @catalog AND ${UNFINISHED})
         WHERE num = @num`,
      )
      .run({ num, catalog, now })
  }

  setState({ num }: TicketRow, state: TicketRow['state'], details: string | null = null): void {
    this.#db
      .prepare('UPDATE tickets SET state = ?, details = ? WHERE num = ?')
      .run(state, details, num)
  }

  /** The first update of a catalog that is not applied yet. */
  firstUnapplied(catalog: number): TicketRow | undefined {
    return this.#firstUnapplied.get(catalog)
  }

  /** Updates of a catalog that are accepted and not at their end. */
  unfinished(catalog: number): TicketRow[] {
    return this.#db
      .prepare<[number], TicketRow>(
        `${TICKET} WHERE t.catalog = ? AND ${UNFINISHED} AND t.state <> 'open' ORDER BY t.turn`,
      )
      .all(catalog)
  }

  /** Removes updates that were begun before `since` and never completed by their caller. */
  removeAbandoned(since: number): void {
    this.#db
      .prepare(
        `DELETE FROM tickets AS t WHERE ${UNFINISHED} AND t.state = 'open' AND t.created_at < ?`,
      )
      .run(since)
  }

  /** Ends an update as it stands: nothing more of it is applied, nobody waits for it. */
  giveUp(ticket: TicketRow, details: string): void {
    this.setState(ticket, 'error', details)
    this.removeBatches(ticket)
    this.#db
      .prepare('UPDATE catalog_items SET ticket = NULL, tried = 0 WHERE ticket = ?')
      .run(ticket.num)
  }

  firstBatch({ num }: TicketRow): BatchRow | undefined {
    return this.#firstBatch.get(num)
  }

  batchAt({ num }: TicketRow, seq: number): BatchRow | undefined {
    return this.#batchAt.get(num, seq)
  }

  setBatchApplied({ num }: TicketRow, seq: number, applied: number): void {
    this.#setBatchApplied.run(applied, num, seq)
  }

  removeBatch({ num }: TicketRow, seq: number): void {
    this.#deleteBatch.run(num, seq)
  }

  removeBatches({ num }: TicketRow): void {
    this.#db.prepare('DELETE FROM ticket_batches WHERE ticket = ?').run(num)
  }

  advance({ num }: TicketRow, by: { applied: number; updated: number }): void {
    this.#advance.run({ num, ...by })
  }

  /** Adds what there is to be told of an entry; what is very long is cut. */
  addInfo(ticket: number, itemId: string | null, info: string): void {
    const short = info.length <= LONGEST_INFO ? info : `${info.slice(0, LONGEST_INFO)}…`
    this.#insertInfo.run(ticket, itemId, short)
  }

  infos({ num }: TicketRow, most: number): { itemId: string | null; info: string }[] {
    return this.#db
      .prepare<[number, number], { itemId: string | null; info: string }>(
        'SELECT item_id AS itemId, info FROM ticket_infos WHERE ticket = ? ORDER BY num LIMIT ?',
      )
      .all(num, most)
  }

  // Resolution

  /** Items of a ticket that are still to be resolved. */
  pendingItems(ticket: number, most: number): ItemRow[] {
    return this.#pending.all(ticket, most)
  }

  /** Takes note of how many items an update that is applied has to have resolved. */
  setToResolve({ num }: TicketRow): void {
    this.#db
      .prepare(
        `UPDATE tickets SET to_resolve = (SELECT count(*) FROM catalog_items WHERE ticket = @num)
         WHERE num = @num`,
      )
      .run({ num })
  }

  countResolution({ num }: TicketRow, items: number): void {
    this.#countResolution.run(items, num)
  }

  /** Items that were tried in vain before the songs and artists came to `revision`. */
  unresolved(revision: number, most: number): ItemRow[] {
    return this.#db
      .prepare<[number, number], ItemRow>(
        `${ITEM} INDEXED BY catalog_items_unresolved
         WHERE song IS NULL AND artist IS NULL AND ticket IS NULL AND identity <> '{}'
           AND tried < ?
         ORDER BY tried, num LIMIT ?`,
      )
      .all(revision, most)
  }

  hasUnresolved(revision: number): boolean {
    return this.unresolved(revision, 1).length > 0
  }

  /** Writes what an item was resolved to; nulls where nothing was found. */
  resolve(
    num: number,
    found: { song: number | null; artist: number | null; trackId: string | null },
    tried: number,
  ): void {
    this.#resolve.run({ num, ...found, tried })
  }

  /** The type of a catalog, by its number. */
  typeOf(catalog: number): CatalogType | undefined {
    return this.#typeOf.get(catalog)
  }

  /** Catalogs that hold anything. */
  countListeners(): number {
    return this.#db
      .prepare<[], number>('SELECT count(*) FROM catalogs WHERE total > 0')
      .pluck()
      .get() as number
  }

  /** What is listened to of artists, or of songs, by ascending number. */
  listening(of: 'artist' | 'song', after: number, most: number): ListeningRow[] {
    const rows = this.#db
      .prepare<[number, number], Omit<ListeningRow, 'heats'> & { heats: string }>(
        `SELECT ${of} AS num, count(DISTINCT catalog) AS listeners, count(*) AS items,
           coalesce(sum(play_count), 0) AS plays,
           json_group_array(json_object('heat', heat, 'at', heat_at)) FILTER (WHERE heat > 0) AS heats
         FROM catalog_items WHERE ${of} > ? GROUP BY ${of} ORDER BY ${of} LIMIT ?`,
      )
      .all(after, most)
    return rows.map((row) => ({
      ...row,
      heats: JSON.parse(row.heats ?? '[]') as ListeningRow['heats'],
    }))
  }

  /** Artists or songs that were listened to, by ascending number: whether they still are. */
  heard(of: 'artist' | 'song', after: number, most: number): { num: number; listened: 0 | 1 }[] {
    const [table, heard] =
      of === 'artist' ? ['artists', 'heard_familiarity'] : ['songs', 'heard_hotttnesss']
    return this.#db
      .prepare<[number, number], { num: number; listened: 0 | 1 }>(
        `SELECT num, EXISTS (SELECT 1 FROM catalog_items WHERE ${of} = t.num) AS listened
         FROM ${table} AS t INDEXED BY ${table}_heard
         WHERE ${heard} IS NOT NULL AND num > ? ORDER BY num LIMIT ?`,
      )
      .all(after, most)
  }

  /**
   * The numbers of documents of the artists of the resolved items, the newest first, each document
   * once; so many of them at most. Of those that were there when the last one was number `upTo`.
   */
  documentsOf(catalog: number, { most, ...wanted }: DocumentQuery): Int32Array {
    const given = { catalog, ...wanted, kinds: JSON.stringify(wanted.kinds) }
    // Few are gathered and sorted; of many the newest are soon met on the way through all.
    const few = this.#countDocuments(catalog, FEW_DOCUMENTS + 1) <= FEW_DOCUMENTS
    const rows = this.#db
      .prepare<typeof given, [num: number, kind: string, id: string]>(
        `SELECT d.num, d.kind, d.id
         FROM artist_documents d ${few ? '' : 'INDEXED BY artist_documents_newest'}
         WHERE ${few ? `d.artist IN (${ARTISTS_OF_CATALOG})` : IN_CATALOG}
           AND d.kind IN (SELECT value FROM json_each(@kinds))
           AND (@since = '' OR d.date >= @since)
           AND (d.kind <> 'news' OR d.relevance >= @newsRelevance)
           AND d.num <= @upTo
         ORDER BY d.date DESC, d.id, d.kind, d.artist`,
      )
      .raw()
      .iterate(given)
    const seen = new Set<string>()
    const nums: number[] = []
    for (const [num, kind, id] of rows) {
      if (nums.length === most) break
      seen.add(`${kind} ${id}`)
      if (seen.size > nums.length) nums.push(num)
    }
    return Int32Array.from(nums)
  }

  /** The number of the document that came last. */
  newestDocument(): number {
    const newest = this.#db.prepare<[], number | null>('SELECT max(num) FROM artist_documents')
    return newest.pluck().get() ?? 0
  }

  /** A document by its number, and whom it is about. */
  document(num: number): DocumentRow | undefined {
    return this.#document.get(num)
  }

  /**
   * The items that wait for a track, resolved to its song. Those that are known by their names stay
   * what they are, unless the song is `certain`; those known by a fingerprint stay in any case.
   */
  resolveTrack(
    trackId: string,
    found: { song: number; artist: number | null; certain: boolean },
  ): void {
    this.#db
      .prepare(
        `UPDATE catalog_items SET song = @song, artist = @artist
         WHERE track_id = @trackId AND ticket IS NULL AND (song IS NULL OR identity = '{}'
           OR json_extract(identity, '$.trackId') IS NOT NULL
           OR (@certain AND json_extract(identity, '$.fpCode') IS NULL))`,
      )
      .run({ trackId, ...found, certain: found.certain ? 1 : 0 })
  }

  #countDocuments(catalog: number, most: number): number {
    return this.#db
      .prepare<{ catalog: number; most: number }, number>(
        `SELECT count(*) FROM (SELECT 1 FROM artist_documents
           WHERE artist IN (${ARTISTS_OF_CATALOG}) LIMIT @most)`,
      )
      .pluck()
      .get({ catalog, most }) as number
  }
}

import type { Door, Params, Result } from '../door.ts'
import { invalidParameter } from '../errors.ts'
import { joined } from '../kernel/abort.ts'
import { batchesOf } from './batches.ts'
import { Ticket } from './ticket.ts'
import type { Waiting } from './track.ts'

/** An entry of an update. */
export type CatalogEntry = Params<'catalog/update'>['data'][number]
/** An item of a catalog, as it is read. */
export type CatalogItem = Result<'catalog/read'>['items'][number]

/** What was said of artists somewhere. */
export type FeedItem = Result<'catalog/feed'>[number]

/** How an update is taken in. */
export type UpdateOptions = Pick<Params<'catalog/update'>, 'analyze'> & Waiting

/** How a catalog is read. */
export type ReadQuery = Omit<Params<'catalog/read'>, 'id' | 'after'> & Waiting

/** Items that are asked for at once while all are gone through. */
const PAGE = 100
/** Items that one call may name. */
const NAMED = 1000

/**
 * A handle on one catalog (taste profile): what is fixed about it, and questions that are each asked
 * anew. {@link Catalogs} gives it.
 *
 * @example
 * ```ts
 * const evenings = await music.catalogs.get({ name: 'Evenings' })
 * for await (const { songName, rating } of evenings.items()) console.log(songName, rating)
 * ```
 */
export class Catalog {
  /** `CA…`; it never changes. */
  readonly id: string
  /** Unique among the catalogs of its key. */
  readonly name: string
  /** Whether its items are songs or artists. */
  readonly type: 'artist' | 'song'
  readonly #door: Door

  /** @internal */
  constructor(door: Door, { id, name, type }: Pick<Catalog, 'id' | 'name' | 'type'>) {
    this.#door = door
    this.id = id
    this.name = name
    this.type = type
  }

  /**
   * Takes in entries, in their order; when this resolves they are durable, and are applied and
   * resolved in the background. Nothing is applied when it rejects. A bad entry is told in
   * `updateInfo` of the ticket and passed over.
   *
   * @param entries - an array, or an iterable or stream that is read as it is needed
   * @throws {KeyError} `not_allowed` unless the catalog was made with the calling key
   * @throws the signal's reason on abort, and whatever `entries` throws
   *
   * @example
   * ```ts
   * const ticket = await catalog.update([
   *   { item: { itemId: 'a', artistName: 'The Beatles', songName: 'Help!', rating: 8 } },
   *   { action: 'play', item: { itemId: 'a' } },
   * ])
   * await ticket.done()
   * ```
   */
  async update(
    entries: Iterable<CatalogEntry> | AsyncIterable<CatalogEntry>,
    { analyze, signal }: UpdateOptions = {},
  ): Promise<Ticket> {
    if (!isIterable(entries)) {
      throw invalidParameter(
        'data',
        'entries must be an array, an iterable or a stream; put a single entry in an array',
      )
    }
    const call = (part: Omit<Params<'catalog/update'>, 'id'>, waiting: Waiting) =>
      this.#door.call('catalog/update', { id: this.id, analyze, ...part }, waiting)
    let ticket: string | undefined
    const until = joined(this.#door.ended, signal)
    const batches = batchesOf(entries, until.signal)
    try {
      let next = await batches.next()
      for (; !next.done; next = await batches.next()) {
        const part = { data: next.value, ticket, more: true }
        ;({ ticket } = await call(part, { signal: until.signal }))
      }
      until.signal.throwIfAborted()
      // Once this is on its way the update is taken in: an abort would not say what became of it.
      const answer = await call({ data: next.value, ticket }, {})
      return new Ticket(this.#door, answer.ticket)
    } finally {
      until.release()
      void batches.return([])
    }
  }

  /**
   * A page of the items, in the order they came: 15, or `results` of 0…100, from `start` on. Or with
   * `itemId` the items that are named, all of them, each once, in the order they are named. What an
   * item's song or artist is known for comes by buckets.
   *
   * @example
   * ```ts
   * const { total, items } = await catalog.read({ bucket: ['audio_summary'], results: 50 })
   * for (const { songName, audioSummary } of items) console.log(songName, audioSummary?.tempo)
   * ```
   */
  async read({ signal, ...query }: ReadQuery = {}): Promise<Result<'catalog/read'>> {
    const read = (part: Pick<ReadQuery, 'itemId'>) =>
      this.#door.call('catalog/read', { ...query, id: this.id, ...part }, { signal })
    if (!Array.isArray(query.itemId) || query.itemId.length <= NAMED) return read({})
    const ids = [...new Set(query.itemId)]
    const all = await read({ itemId: ids.slice(0, NAMED) })
    for (let i = NAMED; i < ids.length; i += NAMED) {
      all.items.push(...(await read({ itemId: ids.slice(i, i + NAMED) })).items)
    }
    return all
  }

  /**
   * What was said of the artists, from `start` on, page by page as it is needed. What is found
   * meanwhile makes none of it be missed or come twice; it is not told.
   *
   * @example
   * ```ts
   * for await (const { name, url } of catalog.feedItems({ bucket: ['news'] })) console.log(name, url)
   * ```
   */
  async *feedItems({
    signal,
    start = 0,
    ...query
  }: Omit<Params<'catalog/feed'>, 'id' | 'results' | 'walk'> & Waiting = {}): AsyncGenerator<
    FeedItem,
    void
  > {
    const walk = crypto.randomUUID()
    // The first page marks where the walk begins, even if it is not to be told.
    if (start > 0) await this.feed({ ...query, results: 0, walk, signal })
    for (let at = start; ; at += PAGE) {
      const page = await this.feed({ ...query, start: at, results: PAGE, walk, signal })
      yield* page
      if (page.length === 0) return
    }
  }

  /**
   * All items, or all that are named, from `start` on, page by page as they are needed. What comes or
   * goes meanwhile makes none of the others be missed or come twice.
   *
   * @example
   * ```ts
   * for await (const { songId, request } of catalog.items()) console.log(request.itemId, songId)
   * ```
   */
  async *items({
    signal,
    itemId,
    start = 0,
    ...query
  }: Omit<ReadQuery, 'results'> = {}): AsyncGenerator<CatalogItem, void> {
    const read = (part: Omit<Params<'catalog/read'>, 'id'>) =>
      this.#door.call('catalog/read', { ...query, id: this.id, results: PAGE, ...part }, { signal })
    if (itemId !== undefined) {
      const ids = [...new Set([itemId].flat())]
      for (let i = 0, skipped = 0; i < ids.length; i += PAGE) {
        const { items } = await read({ itemId: ids.slice(i, i + PAGE) })
        yield* items.slice(start - skipped)
        skipped += Math.min(items.length, start - skipped)
      }
      return
    }
    let { items, next } = await read({ after: 0, start })
    yield* items
    while (next !== undefined) {
      ;({ items, next } = await read({ after: next }))
      yield* items
    }
  }

  /**
   * What is known of the catalog now: items, how many are resolved, updates under way.
   *
   * @throws {ParameterError} `unknown_identifier` when it was deleted
   *
   * @example
   * ```ts
   * const { total, resolved, pendingTickets } = await catalog.profile()
   * console.log(`${resolved} of ${total}, ${pendingTickets.length} updates to come`)
   * ```
   */
  profile({ signal }: Waiting = {}): Promise<Result<'catalog/profile'>> {
    return this.#door.call('catalog/profile', { id: this.id }, { signal })
  }

  /**
   * What was said of the artists of the resolved items, the newest first: 15, or `results` of 0…100,
   * from `start` on. It comes from the feeds that were added.
   *
   * @example
   * ```ts
   * const news = await catalog.feed({ bucket: ['news', 'blogs'], highRelevance: true })
   * ```
   */
  feed({
    signal,
    ...query
  }: Omit<Params<'catalog/feed'>, 'id'> & Waiting = {}): Promise<Result<'catalog/feed'>> {
    return this.#door.call('catalog/feed', { ...query, id: this.id }, { signal })
  }

  /**
   * Deletes the catalog with all its items.
   *
   * @throws {KeyError} `not_allowed` unless it was made with the calling key
   *
   * @example
   * ```ts
   * const { name } = await catalog.delete()
   * ```
   */
  delete({ signal }: Waiting = {}): Promise<Pick<Catalog, 'id' | 'name'>> {
    return this.#door.call('catalog/delete', { id: this.id }, { signal })
  }
}

/** A text is one too, but its letters are no entries. */
function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  )
}

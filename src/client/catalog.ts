import { atCaller } from '../host/caller.ts'
import type { Door, Params, Result } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { invalidParameter } from '../values/errors.ts'
import { divideIntoBatches, isIterable } from './batches.ts'
import type { ReadQuery, SavedSearch, UpdateOptions } from './catalog-queries.ts'
import { wishParameters } from './mix-wish.ts'
import { Ticket } from './ticket.ts'
import type { Waiting } from './track.ts'
import { queryParameters } from './track-pages.ts'

/** An entry of an update. */
export type CatalogEntry = Params<'catalog/update'>['data'][number]
/** An item as `read` answers it. */
export type CatalogItem = Result<'catalog/read'>['items'][number]

/** A news item, a blog post or similar about artists. */
export type FeedItem = Result<'catalog/feed'>[number]

/** An entry without what importers of DJ programs say of the track, for `tracks.import`. */
function withoutTrack(entry: CatalogEntry): CatalogEntry {
  if (typeof entry !== 'object' || entry === null || !('track' in entry)) return entry
  const { track: _, playlists: __, ...fields } = entry as CatalogEntry & Record<string, unknown>
  return fields
}

/** Items per page when all items are read. */
const ITEMS_PER_PAGE = 100
/** Most items that one call can name. */
const MAX_CALL_ITEMS = 1000

/**
 * A handle on one catalog (taste profile), from {@link Catalogs}. Its properties never change; its
 * methods return the current state.
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
   * Updates the catalog with entries, in order. They are durable when this resolves, and applied in
   * the background; none is applied when it rejects. `updateInfo` of the ticket lists bad entries.
   *
   * @param entries - an array, an iterable or a stream, which is read on demand
   * @throws {KeyError} `not_allowed` unless the calling key created the catalog
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
      throw atCaller(
        invalidParameter(
          'data',
          'entries must be an array, an iterable or a stream; put a single entry in an array',
        ),
      )
    }
    const callUpdate = (params: Omit<Params<'catalog/update'>, 'id'>, waiting: Waiting) =>
      this.#door.call('catalog/update', { id: this.id, analyze, ...params }, waiting)
    let ticket: string | undefined
    const until = joinSignals(this.#door.ended, signal)
    const batches = divideIntoBatches(entries, until.signal)
    const dataOf = (batch: readonly CatalogEntry[]) => batch.map(withoutTrack)
    try {
      let next = await batches.next()
      for (; !next.done; next = await batches.next()) {
        const pageParams = { data: dataOf(next.value), ticket, more: true }
        ;({ ticket } = await callUpdate(pageParams, { signal: until.signal }))
      }
      until.signal.throwIfAborted()
      // This call cannot be aborted: the caller would not know whether the update is applied.
      const answer = await callUpdate({ data: dataOf(next.value), ticket }, {})
      return new Ticket(this.#door, answer.ticket)
    } finally {
      until.release()
      void batches.return([])
    }
  }

  /**
   * A page of the items, in the order they were added, or all items that `itemId` names. Buckets
   * add facts about the songs and artists.
   *
   * @example
   * ```ts
   * const { total, items } = await catalog.read({ bucket: ['audio_summary'], results: 50 })
   * for (const { songName, audioSummary } of items) console.log(songName, audioSummary?.tempo)
   * ```
   */
  async read({ signal, ...query }: ReadQuery = {}): Promise<Result<'catalog/read'>> {
    const readPart = (params: Pick<ReadQuery, 'itemId'>) =>
      this.#door.call('catalog/read', { ...query, id: this.id, ...params }, { signal })
    if (!Array.isArray(query.itemId) || query.itemId.length <= MAX_CALL_ITEMS) return readPart({})
    const ids = [...new Set(query.itemId)]
    const reading = await readPart({ itemId: ids.slice(0, MAX_CALL_ITEMS) })
    for (let i = MAX_CALL_ITEMS; i < ids.length; i += MAX_CALL_ITEMS) {
      reading.items.push(...(await readPart({ itemId: ids.slice(i, i + MAX_CALL_ITEMS) })).items)
    }
    return reading
  }

  /**
   * All items of {@link feed} from `start` on, read on demand; without those found during the loop.
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
    // The first call marks where the walk begins, even when its page is not wanted.
    if (start > 0) await this.feed({ ...query, results: 0, walk, signal })
    for (let offset = start; ; offset += ITEMS_PER_PAGE) {
      const params = { ...query, start: offset, results: ITEMS_PER_PAGE, walk, signal }
      const page = await this.feed(params)
      yield* page
      if (page.length === 0) return
    }
  }

  /**
   * All items, or all that `itemId` names, from `start` on, read on demand. No item is missed or
   * repeated when others change.
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
    const readPart = (params: Omit<Params<'catalog/read'>, 'id'>) =>
      this.#door.call(
        'catalog/read',
        { ...query, id: this.id, results: ITEMS_PER_PAGE, ...params },
        { signal },
      )
    if (itemId !== undefined) {
      const ids = [...new Set([itemId].flat())]
      for (let i = 0, skipped = 0; i < ids.length; i += ITEMS_PER_PAGE) {
        const { items } = await readPart({ itemId: ids.slice(i, i + ITEMS_PER_PAGE) })
        yield* items.slice(start - skipped)
        skipped += Math.min(items.length, start - skipped)
      }
      return
    }
    let { items, next } = await readPart({ after: 0, start })
    yield* items
    while (next !== undefined) {
      ;({ items, next } = await readPart({ after: next }))
      yield* items
    }
  }

  /**
   * The numbers of items and of resolved items, and the unfinished updates.
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
   * Distributions of tempo, energy, keys, years, terms and artists; what grows and fades within
   * `days` (default 90); the plays of each year.
   *
   * @example
   * ```ts
   * const { tempo, artists, fading, played } = await catalog.taste()
   * console.log(tempo.mean, artists[0]?.name, fading[0]?.lastPlayed, played)
   * ```
   */
  taste({
    signal,
    ...query
  }: Omit<Params<'catalog/taste'>, 'id'> & Waiting = {}): Promise<Result<'catalog/taste'>> {
    return this.#door.call('catalog/taste', { ...query, id: this.id }, { signal })
  }

  /**
   * A page of news, blogs, reviews, audio and video about the artists of the resolved items, the newest
   * first, from the feeds in `music.feeds`.
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
   * Keeps a search or a mix under a name; `null` removes the one of that name. Fields are checked
   * now; what they name is looked up when it is asked.
   *
   * @throws {ParameterError} when a field is wrong
   * @throws {KeyError} `not_allowed` unless the calling key created the catalog
   *
   * @example
   * ```ts
   * await catalog.save('fast and minor', { search: { tempo: [140, 180], mode: 'minor' } })
   * await catalog.save('an evening', { mix: { seeds: { mood: 'calm' }, length: 40 } })
   * await catalog.save('fast and minor', null)
   * ```
   */
  async save(
    name: string,
    what: Omit<SavedSearch, 'name'> | null,
    { signal }: Waiting = {},
  ): Promise<void> {
    const { search, mix } = what ?? {}
    const content = {
      ...(search !== undefined && { search: queryParameters(search) }),
      ...(mix !== undefined && { mix: wishParameters(mix) }),
    }
    await this.#door.call('mix/save', { id: this.id, name, ...content }, { signal })
  }

  /**
   * The searches and mixes that {@link save} has kept, by name.
   *
   * @example
   * ```ts
   * for (const { name, search, mix } of await catalog.saved()) {
   *   if (search) console.log(name, (await music.tracks.search(search)).total)
   *   if (mix) console.log(name, (await (await music.mixes.create(mix)).next())?.track.id)
   * }
   * ```
   */
  saved({ signal }: Waiting = {}): Promise<SavedSearch[]> {
    return this.#door.call('mix/saved', { id: this.id }, { signal })
  }

  /**
   * Deletes the catalog with all its items.
   *
   * @throws {KeyError} `not_allowed` unless the calling key created it
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

import type { Door, Params, Result } from '../door.ts'
import type { Waiting } from './track.ts'

/** A feed as it stands. */
export type FeedInfo = Result<'feed/add'>

/** How far a refresh has come, and what came of it. */
export type RefreshStatus = Result<'feed/settled'>

/** How a refresh goes on. */
export interface RefreshOptions extends Waiting, Params<'feed/refresh'> {
  /** Told at the beginning and each time a feed is done. */
  onProgress?: ((status: RefreshStatus) => void) | undefined
}

/**
 * Feeds of news, blogs, reviews, audio and video, at `music.feeds`, from which `catalog.feed` and the
 * documents of artists are filled.
 *
 * @example
 * ```ts
 * await music.feeds.add({ url: 'https://example.org/news.rss', type: 'news' })
 * await music.feeds.refresh()
 * const news = await catalog.feed({ bucket: ['news'] })
 * ```
 */
export class Feeds {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Adds a feed and has it read: RSS, Atom or JSON Feed. One that is there already is answered as it
   * is. Without an artist its items are of those artists whom they name. From then on it is asked for
   * about once an hour while the database is open.
   *
   * @throws {ParameterError} unless the address is one of http or https; `unknown_identifier` for an
   * artist that is not known by that id
   *
   * @example
   * ```ts
   * await music.feeds.add({ url: 'https://example.org/news.rss', type: 'news' })
   * await music.feeds.add({ url: 'https://example.org/yelle.xml', type: 'blogs', artistName: 'Yelle' })
   * ```
   */
  add(feed: Params<'feed/add'>, { signal }: Waiting = {}): Promise<FeedInfo> {
    return this.#door.call('feed/add', feed, { signal })
  }

  /**
   * All feeds, in the order they were added.
   *
   * @example
   * ```ts
   * for (const { url, error } of await music.feeds.list()) console.log(url, error ?? 'well')
   * ```
   */
  list({ signal }: Waiting = {}): Promise<FeedInfo[]> {
    return this.#door.call('feed/list', {}, { signal })
  }

  /**
   * Removes a feed, and the items that no other feed has.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * for (const { id, error } of await music.feeds.list()) {
   *   if (error !== undefined) await music.feeds.remove(id)
   * }
   * ```
   */
  remove(id: string, { signal }: Waiting = {}): Promise<{ id: string }> {
    return this.#door.call('feed/remove', { id }, { signal })
  }

  /**
   * Asks for all feeds, or some, now. A feed that cannot be read is told in `failed`; the others go
   * on.
   *
   * @throws the signal's reason on abort; the refresh goes on
   *
   * @example
   * ```ts
   * const { found, failed } = await music.feeds.refresh({
   *   onProgress: ({ done, total }) => console.log(`${done}/${total}`),
   * })
   * ```
   */
  async refresh({ signal, id, onProgress }: RefreshOptions = {}): Promise<RefreshStatus> {
    const { ids } = await this.#door.call('feed/refresh', id === undefined ? {} : { id }, {
      signal,
    })
    const settled = (beyond: number) => this.#door.call('feed/settled', { ids, beyond }, { signal })
    let status = await settled(-1)
    onProgress?.(status)
    while (status.done < status.total) {
      status = await settled(status.done)
      onProgress?.(status)
    }
    return status
  }
}

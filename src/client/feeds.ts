import type { Door, Params, Result } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import type { Waiting } from './track.ts'

/** A feed, and how its last refresh went. */
export type FeedInfo = Result<'feed/add'>

/** The progress and the results of a refresh. */
export type RefreshStatus = Result<'feed/wait'>

/** Options of a refresh. */
export interface RefreshOptions extends Waiting, Params<'feed/refresh'> {
  /** Called at the beginning and after each feed. */
  onProgress?: ((status: RefreshStatus) => void) | undefined
}

/**
 * Feeds of news, blogs, reviews, audio and video, at `music.feeds`. `catalog.feed` and the documents of
 * artists come from them.
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
   * Adds a feed (RSS, Atom or JSON Feed) and starts to read it. A feed that was added before is
   * returned unchanged. While the database is open, each feed is read about once an hour.
   *
   * @throws {ParameterError} unless the address is http or https; `unknown_identifier` for an artist id
   * that is not known
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
   * Removes a feed, and its items that are in no other feed.
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
  remove(feed: IdReference, { signal }: Waiting = {}): Promise<{ id: string }> {
    return this.#door.call('feed/remove', { id: idOf(feed) }, { signal })
  }

  /**
   * Reads all feeds, or the given ones, now. Feeds that cannot be read are listed in `failed`.
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
    const { ids } = await this.#door.call('feed/refresh', { id }, { signal })
    const settled = (beyond: number) => this.#door.call('feed/wait', { ids, beyond }, { signal })
    let status = await settled(-1)
    onProgress?.(status)
    while (status.done < status.total) {
      status = await settled(status.done)
      onProgress?.(status)
    }
    return status
  }
}

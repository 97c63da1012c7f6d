import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty, oneOrMany } from '../options/parameter-types.ts'
import type { FeedStore } from './feed-store.ts'
import { FEEDS_CHANGED, type FeedRoom, REFRESH_JOB } from './room.ts'

/** `feed/refresh` (ours): starts a refresh of all or some feeds, once for any number of callers. */
export const refreshFeeds = method({
  name: 'feed/refresh',
  parameters: z.strictObject({
    /** Only these feeds. Default: all. */
    id: oneOrMany(nonEmpty).optional(),
  }),
  run({ atomically, feeds, enqueue }: FeedRoom, { id: ids }): { ids: string[] } {
    return atomically(() => {
      const feedRows =
        ids === undefined ? feeds.list() : [ids].flat().map((id) => feeds.findFeed(id))
      for (const { num, id } of feedRows) {
        feeds.ask(num)
        enqueue({ kind: REFRESH_JOB, subject: id })
      }
      return { ids: feedRows.map(({ id }) => id) }
    })
  },
})

/** The progress of a refresh of feeds. */
export interface RefreshStatus {
  /** Feeds that are refreshed. */
  total: number
  /** Feeds that are done, with or without an error. */
  done: number
  /** New items. */
  found: number
  /** Feeds in which anything had changed. */
  changed: number
  /** Feeds in which nothing had changed. */
  unchanged: number
  /** Feeds that could not be refreshed. */
  failed: {
    /** The feed's id. */
    id: string
    /** The feed's address. */
    url: string
    /** Why it failed. */
    error: string
  }[]
}

/** `feed/wait` (ours): waits for the refresh of feeds; starts nothing. */
export const awaitRefresh = method({
  name: 'feed/wait',
  parameters: z.strictObject({
    /** As `feed/refresh` answered them. */
    ids: z.array(nonEmpty),
    /** The number of finished feeds above which it answers. Default: it answers when all are finished. */
    beyond: z.int().min(-1).optional(),
  }),
  run({ changes, feeds }: FeedRoom, { ids, beyond }, { signal }): Promise<RefreshStatus> {
    return changes.waitUntil(FEEDS_CHANGED, signal, () => {
      const status = refreshStatusOf(feeds, ids)
      const isDue = status.done === status.total || status.done > (beyond ?? status.total)
      return isDue ? status : undefined
    })
  },
})

function refreshStatusOf(feeds: FeedStore, ids: readonly string[]): RefreshStatus {
  const [total, failed] = [ids.length, []]
  const status: RefreshStatus = { total, done: 0, found: 0, changed: 0, unchanged: 0, failed }
  for (const id of ids) {
    const feed = feeds.byId(id)
    if (feed?.state === 1) continue
    status.done++
    // A feed that was removed meanwhile counts as done.
    if (!feed) continue
    if (feed.error !== null) status.failed.push({ id, url: feed.url, error: feed.error })
    else if (feed.changed === 1) status.changed++
    else status.unchanged++
    status.found += feed.found
  }
  return status
}

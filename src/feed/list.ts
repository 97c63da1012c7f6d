import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { known } from '../values/known.ts'
import { timestamp } from '../values/text.ts'
import type { FeedRow, FeedType } from './feed-store.ts'
import type { FeedRoom } from './room.ts'

/** A feed. Fields that are not known are absent. */
export interface FeedInfo {
  /** Stays the same as long as the feed is kept. */
  id: string
  /** Its address. */
  url: string
  /** The type of its items. */
  type: FeedType
  /** The artist that it is about. Without one, each item is about the artists that it names. */
  artistId?: string
  /** The artist's name. */
  artistName?: string
  /** Its own title. */
  title?: string
  /** The web page that it belongs to. */
  link?: string
  /** `pending` while it is being refreshed, `error` if the last refresh failed. */
  status: 'pending' | 'complete' | 'error'
  /** Why the last refresh failed. */
  error?: string
  /** Refreshes that failed in a row. */
  failures: number
  /** The number of its stored items. */
  items: number
  /** When it was refreshed last: `YYYY-MM-DDThh:mm:ss`, in UTC. */
  dateChecked?: string
  /** When it will be refreshed next, in the same form. */
  dateDue: string
}

/** `feed/list` (ours): all feeds, in the order they were added. */
export const listFeeds = method({
  name: 'feed/list',
  parameters: z.strictObject({}),
  run({ feeds }: FeedRoom): FeedInfo[] {
    const items = new Map(feeds.countAllItems().map((feed) => [feed.feed, feed.items]))
    return feeds.list().map((row) => describeFeed(row, items.get(row.num) ?? 0))
  },
})

export function describeFeed(row: FeedRow, items: number): FeedInfo {
  const { id, url, type, state, error, failures, artistId, artistName, title, link } = row
  return known({
    id,
    url,
    type,
    artistId,
    artistName,
    title,
    link,
    error,
    failures,
    items,
    status: state === 1 ? 'pending' : error === null ? 'complete' : 'error',
    dateChecked: row.checkedAt === null ? null : timestamp(row.checkedAt),
    dateDue: timestamp(row.dueAt),
  })
}

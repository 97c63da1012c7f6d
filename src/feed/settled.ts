import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { FEEDS, type FeedRoom } from './room.ts'

const parameters = z.strictObject({
  /** As `feed/refresh` answered them. */
  ids: z.array(z.string().min(1)),
  /** The number of finished feeds above which it answers. Default: it answers when all are finished. */
  beyond: z.int().min(-1).optional(),
})

/** How far a refresh of feeds has come. */
export interface RefreshStatus {
  /** Feeds that are refreshed. */
  total: number
  /** Feeds that are done, well or not. */
  done: number
  /** New items. */
  found: number
  /** Feeds in which there was anything new. */
  changed: number
  /** Feeds in which there was nothing. */
  unchanged: number
  /** Feeds that could not be refreshed, and why. */
  failed: {
    /** The feed's. */
    id: string
    /** Its address. */
    url: string
    /** Why. */
    error: string
  }[]
}

/** `feed/settled` (ours): waits for the refresh of feeds; starts nothing. */
export const settled = method({
  name: 'feed/settled',
  parameters,
  async run(context: FeedRoom, { ids, beyond }, { signal }): Promise<RefreshStatus> {
    return context.changes.until(FEEDS, signal, () => {
      const status = statusOf(context, ids)
      const isDue = status.done === status.total || status.done > (beyond ?? status.total)
      return isDue ? status : undefined
    })
  },
})

function statusOf({ store }: FeedRoom, ids: readonly string[]): RefreshStatus {
  const status: RefreshStatus = {
    ...{ total: ids.length, done: 0, found: 0, changed: 0, unchanged: 0 },
    failed: [],
  }
  for (const id of ids) {
    const feed = store.byId(id)
    if (feed?.state === 1) continue
    status.done++
    // One that was removed meanwhile is done too.
    if (!feed) continue
    if (feed.error !== null) status.failed.push({ id, url: feed.url, error: feed.error })
    else if (feed.changed === 1) status.changed++
    else status.unchanged++
    status.found += feed.found
  }
  return status
}

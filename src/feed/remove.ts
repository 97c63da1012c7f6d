import { z } from 'zod'
import type { Handler } from '../kernel/jobs/handler.ts'
import { method } from '../kernel/method.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { FEEDS_CHANGED, type FeedRoom, REFRESH_JOB } from './room.ts'
import { updateReferences } from './store-item.ts'

const REMOVE_JOB = 'feed/remove'
const STEP_ENTRIES = 100

/** `feed/remove` (ours): removes a feed and the items that no other feed has. */
export const removeFeed = method({
  name: 'feed/remove',
  parameters: z.strictObject({
    /** As `feed/add` answered it. */
    id: nonEmpty,
  }),
  async run(room: FeedRoom, { id }, { signal }): Promise<{ id: string }> {
    const { changes, feeds } = room
    const num = room.atomically(() => {
      const feed = feeds.findFeed(id)
      feeds.markRemoved(feed.num)
      room.cancel(REFRESH_JOB, id)
      room.enqueue({ kind: REMOVE_JOB, subject: String(feed.num) })
      return feed.num
    })
    changes.wakeWaits(FEEDS_CHANGED)
    return changes.waitUntil(FEEDS_CHANGED, signal, () => (feeds.exists(num) ? undefined : { id }))
  },
})

export function removeJob(room: FeedRoom): Handler {
  const { atomically, changes, feeds, spotter } = room
  return {
    kind: REMOVE_JOB,
    concurrency: 1,
    async run({ subject }, { signal }) {
      await spotter.refreshNames(signal)
      for (let isLeft = true; isLeft; ) {
        isLeft = atomically(() => {
          const sharedItems = feeds.removeSome(Number(subject), STEP_ENTRIES)
          // Items that other feeds have are no longer about the artist of this feed.
          for (const item of sharedItems ?? []) updateReferences(room, item)
          return sharedItems !== undefined
        })
        await jobTurn(signal)
      }
      return () => {}
    },
    settled: () => changes.wakeWaits(FEEDS_CHANGED),
  }
}

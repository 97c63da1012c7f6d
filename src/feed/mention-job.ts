import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import type { FeedRoom } from './room.ts'
import { updateReferences } from './store-item.ts'

/** Looks for artists in items again; the subject is `all`. */
const SPOT_JOB = 'feed/spot'
const MENTION_ITEMS = 20
/** An import makes many changes. */
const MENTION_DELAY_MILLISECONDS = 5_000

export function findMentionsSoon({ items, enqueue }: FeedRoom): void {
  if (items.hasAny())
    enqueue({ kind: SPOT_JOB, subject: 'all', after: MENTION_DELAY_MILLISECONDS, priority: -2 })
}

export function mentionJob(room: FeedRoom): Handler {
  const { atomically, items, spotter } = room
  return {
    kind: SPOT_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      await spotter.refreshNames(signal)
      for (;;) {
        const nums = items.unspotted({ spotted: spotter.size, most: MENTION_ITEMS })
        if (nums.length === 0) return () => {}
        for (const num of nums) {
          atomically(() => updateReferences(room, num))
          await jobTurn(signal)
        }
      }
    },
    // Artists who came during the run added no job, because this one was still in the queue.
    settled() {
      if (!spotter.isCurrent) findMentionsSoon(room)
    },
  }
}

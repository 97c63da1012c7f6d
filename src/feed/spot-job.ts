import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { type FeedRoom, SPOT_JOB } from './room.ts'
import { refer } from './store-item.ts'

/** Items that are read together. */
const ITEMS = 20
/** Milliseconds after a change of artists; an import is many changes. */
const SOON = 5_000

/** Has names looked for anew in the items of feeds; artists came, or their names changed. */
export function spotSoon({ store, enqueue }: FeedRoom): void {
  if (store.hasItems) enqueue({ kind: SPOT_JOB, subject: 'all', after: SOON, priority: -2 })
}

/** The job that looks for the names of artists who became known after the items were read. */
export function spotJob(context: FeedRoom): Handler {
  const { store, spotter } = context
  return {
    kind: SPOT_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      await spotter.refresh(signal)
      for (;;) {
        const items = store.unspotted(spotter.size, ITEMS)
        if (items.length === 0) return () => {}
        for (const { num } of items) {
          store.atomically(() => refer(context, num))
          await jobTurn(signal)
        }
      }
    },
    failed() {},
    // Artists who came while it ran were not noticed by the job that was still there.
    settled() {
      if (!spotter.isCurrent) spotSoon(context)
    },
  }
}

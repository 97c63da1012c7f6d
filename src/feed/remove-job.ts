import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { FEEDS, type FeedRoom, REMOVE_JOB } from './room.ts'
import { refer } from './store-item.ts'

/** The job that removes a feed with its items, step by step. */
export function removeJob(context: FeedRoom): Handler {
  const { store, spotter } = context
  return {
    kind: REMOVE_JOB,
    concurrency: 1,
    async run({ subject }, { signal }) {
      await spotter.refresh(signal)
      for (let left = true; left; ) {
        left = store.atomically(() => {
          const others = store.removeSome(Number(subject))
          // What other feeds have too is no longer about the artist of this one.
          for (const num of others ?? []) refer(context, num)
          return others !== undefined
        })
        await jobTurn(signal)
      }
      return () => {}
    },
    failed() {},
    settled: () => context.changes.poke(FEEDS),
  }
}

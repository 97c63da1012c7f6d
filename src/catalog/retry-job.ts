import type { Handler } from '../kernel/jobs/handler.ts'
import { performance, sleep } from '../kernel/timers.ts'
import { resolveAll, revisionOf } from './resolve-items.ts'
import { type CatalogRoom, RETRY_JOB } from './room.ts'

/** Items that are tried together. */
const ITEMS = 64
/** Milliseconds after a change of songs or artists; an import is many changes. */
const SOON = 2_000
/** After trying all again, so many times as long is rested: while tracks come, most is in vain. */
const REST = 9

/** Has items that could not be resolved tried again, if there are any; songs or artists changed. */
export function retrySoon(context: CatalogRoom): void {
  if (!context.store.hasUnresolved(revisionOf(context))) return
  context.enqueue({ kind: RETRY_JOB, subject: 'all', after: SOON, priority: -1 })
}

/** The job that tries unresolved items again, those first that were tried longest ago. */
export function retryJob(context: CatalogRoom): Handler {
  const { store } = context
  let rested = 0
  return {
    kind: RETRY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      const rest = rested - performance.now()
      if (rest > 0) await sleep(rest, undefined, { signal, ref: false })
      const started = performance.now()
      // What changes from now on is for the next time, else a long import would never see the end.
      const revision = revisionOf(context)
      for (;;) {
        const items = store.unresolved(revision, ITEMS)
        if (items.length === 0) break
        await resolveAll(context, items, signal)
      }
      const ended = performance.now()
      rested = ended + REST * (ended - started)
      return () => {}
    },
    failed() {},
    // What came while it ended was not noticed by the job that was still there.
    settled: () => retrySoon(context),
  }
}

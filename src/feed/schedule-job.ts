import type { Handler } from '../kernel/jobs/handler.ts'
import { type FeedRoom, REFRESH_JOB, SCHEDULE_JOB } from './room.ts'

/** Due feeds are looked for at least so often, in milliseconds: one may be added meanwhile. */
const TICK = 15 * 60_000
const LEAST = 1_000

/** Has the next feeds refreshed when they are due. */
export function schedule({ store, now, enqueue }: FeedRoom): void {
  const next = store.nextDue()
  if (next === undefined) return
  const after = Math.min(Math.max(next - now(), LEAST), TICK)
  enqueue({ kind: SCHEDULE_JOB, subject: 'all', after })
}

/** Takes up the feeds again when the engine opens: what was asked for, and what is due. */
export function resume(context: FeedRoom): void {
  if (context.store.list().length === 0) return
  context.enqueue({ kind: SCHEDULE_JOB, subject: 'all' })
}

/** The job that asks for the refresh of all feeds that are due. */
export function scheduleJob(context: FeedRoom): Handler {
  const { store, now, enqueue } = context
  return {
    kind: SCHEDULE_JOB,
    concurrency: 1,
    async run() {
      return () => {
        for (const id of store.due(now())) {
          const feed = store.byId(id)
          if (!feed) continue
          store.ask(feed.num)
          enqueue({ kind: REFRESH_JOB, subject: id, priority: -1 })
        }
      }
    },
    failed() {},
    settled: () => schedule(context),
  }
}

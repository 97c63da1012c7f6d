import type { Handler, Running } from '../kernel/jobs/handler.ts'
import type { Job } from '../kernel/jobs/store.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import type { FeedDocument } from '../syndication/read-feed.ts'
import { timestamp } from '../text.ts'
import { TRIES } from '../workers/workers.ts'
import { type Answer, FetchFailure, fetchFeed } from './fetch.ts'
import { FEEDS, type FeedRoom, REFRESH_JOB } from './room.ts'
import { schedule } from './schedule-job.ts'
import type { FeedRow, Refreshed } from './store.ts'
import { takeEntry } from './store-item.ts'

/** Feeds that are asked for at once. */
const TOGETHER = 4
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How often a feed is asked for, unless its server says that it will not change for longer. */
const INTERVAL = HOUR
/** After the first failure; each further one doubles it. */
const FIRST_BACKOFF = 10 * MINUTE
/** A server that wants to be left alone is, for so long at most. */
const MOST_WAIT = 7 * DAY

/**
 * The job that refreshes a feed: asks its server whether it changed, reads it and takes in what is
 * new or changed, item by item. What the server said is noted last: a refresh that is cut off is
 * done again, and takes in what it had not.
 */
export function refreshJob(context: FeedRoom): Handler {
  const { store, now } = context

  async function run({ subject }: Job, { signal, progressed }: Running): Promise<() => void> {
    const feed = store.byId(subject)
    if (!feed) return () => {}
    context.emit('feed', { id: feed.id, status: 'pending', found: 0 })
    try {
      const answer = await fetchFeed(context, feed, signal)
      const document = await readAnswer(context, feed, answer, signal)
      const found = document ? await takeIn(context, feed, document, { signal, progressed }) : 0
      const { url, etag, lastModified, body } = answer
      const wait = Math.min(Math.max(answer.maxAge * 1000, INTERVAL), DAY)
      return () =>
        store.refreshed({
          ...{ num: feed.num, url, etag, lastModified, body, found },
          title: document?.title ?? feed.title,
          link: document?.link ?? feed.link,
          checkedAt: now(),
          dueAt: now() + wait,
          failures: 0,
          error: null,
          changed: document === undefined ? 0 : 1,
        })
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error
      return () => store.refreshed(failed(feed, error, now()))
    }
  }

  return {
    kind: REFRESH_JOB,
    concurrency: TOGETHER,
    again: 'It is asked for again when it is due.',
    run,
    failed(job, error) {
      const feed = store.byId(job.subject)
      if (feed) store.refreshed(failed(feed, error, now()))
    },
    settled({ subject }) {
      const feed = store.byId(subject)
      if (feed && feed.state === 0) {
        const { id, error, found } = feed
        const told =
          error === null ? { status: 'complete' as const } : { status: 'error' as const, error }
        context.emit('feed', { id, found, ...told })
      }
      schedule(context)
      context.changes.poke(FEEDS)
    },
  }
}

/** What there is to take in; `undefined` if the feed has not changed. */
async function readAnswer(
  context: FeedRoom,
  feed: FeedRow,
  { bytes, contentType, from }: Answer,
  signal: AbortSignal,
): Promise<FeedDocument | undefined> {
  if (!bytes) return undefined
  const prefer = feed.type === 'audio' || feed.type === 'video' ? feed.type : 'page'
  const { store, reading, workers } = context
  const known = store.digests(feed.num)
  try {
    return await reading.run(signal, () =>
      workers.run(
        'feed',
        { bytes, contentType, url: from, prefer, known },
        { signal, tries: TRIES },
      ),
    )
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new FetchFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Takes in entries, in steps; how many items are new. */
async function takeIn(
  context: FeedRoom,
  feed: FeedRow,
  { entries }: FeedDocument,
  { signal, progressed }: Pick<Running, 'signal' | 'progressed'>,
): Promise<number> {
  const { store, spotter } = context
  if (entries.length > 0) await spotter.refresh(signal)
  const dateFound = timestamp(context.now())
  let found = 0
  for (let at = 0; at < entries.length; ) {
    store.atomically(() => {
      // It may have been removed meanwhile.
      if (!store.byId(feed.id)) at = entries.length
      do {
        const entry = entries[at++]
        if (entry && takeEntry(context, feed, entry, dateFound)) found++
      } while (at < entries.length && !isBudgetSpent())
    })
    progressed()
    await jobTurn(signal)
  }
  return found
}

function failed(feed: FeedRow, error: Error, now: number): Refreshed {
  const { num, url, title, link, etag, lastModified, body } = feed
  const failures = feed.failures + 1
  const wait = error instanceof FetchFailure ? error.wait * 1000 : 0
  const backoff = Math.min(FIRST_BACKOFF * 2 ** Math.min(feed.failures, 20), DAY)
  return {
    ...{ num, url, title, link, etag, lastModified, body, failures },
    checkedAt: now,
    dueAt: Math.round(now + Math.max(backoff, Math.min(wait, MOST_WAIT))),
    error: error.message,
    found: 0,
    changed: 0,
  }
}

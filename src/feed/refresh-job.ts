import type { Handler, Running } from '../kernel/jobs/handler.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import type { FeedDocument } from '../syndication/read-feed.ts'
import { messageOf } from '../values/errors.ts'
import { timestamp } from '../values/text.ts'
import { SHORT_TASK_TRIES } from '../workers/workers.ts'
import type { FeedRow, Refreshed } from './feed-store.ts'
import { type FeedResponse, FetchFailure, fetchFeed } from './fetch.ts'
import { FEEDS_CHANGED, type FeedRoom, REFRESH_JOB } from './room.ts'
import { storeEntry } from './store-item.ts'

/** Requests the refresh of due feeds; the subject is `all`. */
const SCHEDULE_JOB = 'feed/schedule'
/** Of this job: feeds can be added meanwhile. */
const MAX_PAUSE = 15 * 60_000
const MIN_PAUSE = 1_000
const CONCURRENT_REFRESHES = 4
const MINUTE = 60_000
const HOUR_IN_MS = 60 * MINUTE
const DAY_IN_MS = 24 * HOUR_IN_MS
/** Unless the server says that the feed stays the same for longer. */
const REFRESH_INTERVAL = HOUR_IN_MS
/** After the first failure; each further failure doubles it. */
const FIRST_PAUSE = 10 * MINUTE
/** That a server can ask for. */
const MAX_WAIT = 7 * DAY_IN_MS

/**
 * The outcome is written last: an interrupted refresh runs again, and stores the missing entries.
 */
export function refreshJob(room: FeedRoom): Handler {
  const { feeds } = room
  return {
    kind: REFRESH_JOB,
    concurrency: CONCURRENT_REFRESHES,
    again: 'It will be refreshed when it is due.',
    async run({ subject }, running) {
      const feed = feeds.byId(subject)
      if (!feed) return () => {}
      room.emit('feed', { id: feed.id, status: 'pending', found: 0 })
      const outcome = await refreshFeed(room, feed, running)
      return () => feeds.refreshed(outcome)
    },
    failed({ subject }, error) {
      const feed = feeds.byId(subject)
      if (feed) feeds.refreshed(failedRefresh(feed, error, room.now()))
    },
    settled({ subject }) {
      const feed = feeds.byId(subject)
      if (feed?.state === 0) {
        const { id, error, found } = feed
        room.emit(
          'feed',
          error === null
            ? { id, found, status: 'complete' }
            : { id, found, status: 'error', error },
        )
      }
      scheduleNext(room)
      room.changes.wakeWaits(FEEDS_CHANGED)
    },
  }
}

async function refreshFeed(room: FeedRoom, feed: FeedRow, running: Running): Promise<Refreshed> {
  const { now } = room
  try {
    const answer = await fetchFeed(room, feed, running.signal)
    const document = await readAnswer(room, feed, answer, running.signal)
    const newItems = document ? await storeEntries(room, feed, document, running) : 0
    const { url, etag, lastModified, body } = answer
    const checkedAt = now()
    return {
      num: feed.num,
      url,
      etag,
      lastModified,
      body,
      found: newItems,
      checkedAt,
      title: document?.title ?? feed.title,
      link: document?.link ?? feed.link,
      dueAt: checkedAt + Math.min(Math.max(answer.maxAge * 1000, REFRESH_INTERVAL), DAY_IN_MS),
      failures: 0,
      error: null,
      changed: document === undefined ? 0 : 1,
    }
  } catch (error) {
    if (error instanceof FetchFailure) return failedRefresh(feed, error, now())
    throw error
  }
}

async function readAnswer(
  { items, reading, workers }: FeedRoom,
  feed: FeedRow,
  { bytes, contentType, from }: FeedResponse,
  signal: AbortSignal,
): Promise<FeedDocument | undefined> {
  if (!bytes) return undefined
  const prefer = feed.type === 'audio' || feed.type === 'video' ? feed.type : 'page'
  const knownDigests = new Map(items.digests(feed.num).map(({ key, digest }) => [key, digest]))
  const task = { bytes, contentType, url: from, prefer, known: knownDigests } as const
  try {
    return await reading.run(signal, () =>
      workers.run('feed', task, { signal, tries: SHORT_TASK_TRIES }),
    )
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new FetchFailure(messageOf(error), { cause: error })
  }
}

/** In steps; returns how many items are new. */
async function storeEntries(
  room: FeedRoom,
  feed: FeedRow,
  { entries }: FeedDocument,
  { signal, progressed }: Running,
): Promise<number> {
  if (entries.length > 0) await room.spotter.refreshNames(signal)
  const dateFound = timestamp(room.now())
  let newItems = 0
  for (let position = 0; position < entries.length; ) {
    room.atomically(() => {
      // The feed may have been removed meanwhile.
      if (!room.feeds.byId(feed.id)) position = entries.length
      do {
        const entry = entries[position++]
        if (entry && storeEntry(room, feed, entry, dateFound)) newItems++
      } while (position < entries.length && !isBudgetSpent())
    })
    progressed()
    await jobTurn(signal)
  }
  return newItems
}

/** The feed stays unchanged, and is due later. */
function failedRefresh(feed: FeedRow, error: Error, now: number): Refreshed {
  const wait = error instanceof FetchFailure ? error.wait * 1000 : 0
  const backoff = Math.min(FIRST_PAUSE * 2 ** Math.min(feed.failures, 20), DAY_IN_MS)
  return {
    ...feed,
    checkedAt: now,
    dueAt: Math.round(now + Math.max(backoff, Math.min(wait, MAX_WAIT))),
    failures: feed.failures + 1,
    error: error.message,
    found: 0,
    changed: 0,
  }
}

function scheduleNext({ feeds, now, enqueue }: FeedRoom): void {
  const nextDue = feeds.nextDue() ?? undefined
  if (nextDue === undefined) return
  const after = Math.min(Math.max(nextDue - now(), MIN_PAUSE), MAX_PAUSE)
  enqueue({ kind: SCHEDULE_JOB, subject: 'all', after })
}

/** When the engine opens. */
export function resumeRefreshes({ feeds, enqueue }: FeedRoom): void {
  if (feeds.list().length > 0) enqueue({ kind: SCHEDULE_JOB, subject: 'all' })
}

export function scheduleJob(room: FeedRoom): Handler {
  const { feeds, now, enqueue } = room
  return {
    kind: SCHEDULE_JOB,
    concurrency: 1,
    run: async () => () => {
      for (const { num, id } of feeds.due(now())) {
        feeds.ask(num)
        enqueue({ kind: REFRESH_JOB, subject: id, priority: -1 })
      }
    },
    settled: () => scheduleNext(room),
  }
}

import type { ArtistContext } from '../artist/context.ts'
import type { Host } from '../call.ts'
import type { Emit } from '../kernel/events.ts'
import type { NewJob } from '../kernel/jobs/store.ts'
import type { Changes } from '../kernel/wait-for-change.ts'
import type { EngineConfig } from '../options.ts'
import type { FeedBytes, FeedDocument } from '../syndication/read-feed.ts'
import type { Spotter } from './spotter.ts'
import type { FeedStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface FeedContext {
  store: FeedStore
  artist: ArtistContext
  spotter: Spotter
  host: Host
  config: EngineConfig
  /** Those who wait for feeds: all under {@link FEEDS}. */
  changes: Changes
  emit: Emit
  now(): number
  /** Puts a job in the queue; inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  cancel(kind: string, subject: string): void
  /** Reads a feed's bytes, where that holds up nobody. */
  read(task: FeedBytes, signal: AbortSignal): Promise<FeedDocument>
}

/** What those who wait for feeds wait for. */
export const FEEDS = 'feeds'

/** The kind of the job that refreshes a feed; the subject is its id. */
export const REFRESH_JOB = 'feed/refresh'
/** The kind of the job that asks for the refresh of feeds that are due; the subject is `all`. */
export const SCHEDULE_JOB = 'feed/schedule'
/** The kind of the job that looks for names in items anew; the subject is `all`. */
export const SPOT_JOB = 'feed/spot'
/** The kind of the job that removes a feed and its items; the subject is its number. */
export const REMOVE_JOB = 'feed/remove'

import type { ArtistRoom } from '../artist/room.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Limiter } from '../kernel/limiter.ts'
import type { Workers } from '../workers/workers.ts'
import type { Spotter } from './spotter.ts'
import type { FeedStore } from './store.ts'

/** What the room needs of others. */
export interface FeedNeeds {
  artist: ArtistRoom
  workers: Workers
}

/** What the feed methods work with. */
export interface FeedRoom extends Kernel, FeedNeeds {
  readonly name: 'feed'
  store: FeedStore
  spotter: Spotter
  /** One at a time: a feed is read in milliseconds, and analyses want the threads. */
  reading: Limiter
}

/** The name under which changes of feeds are waited for: all under one. */
export const FEEDS = 'feeds'

/** The kind of the job that refreshes a feed; the subject is its id. */
export const REFRESH_JOB = 'feed/refresh'
/** The kind of the job that asks for the refresh of feeds that are due; the subject is `all`. */
export const SCHEDULE_JOB = 'feed/schedule'
/** The kind of the job that looks for names in items anew; the subject is `all`. */
export const SPOT_JOB = 'feed/spot'
/** The kind of the job that removes a feed and its items; the subject is its number. */
export const REMOVE_JOB = 'feed/remove'

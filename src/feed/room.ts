import type { ArtistRoom } from '../artist/room.ts'
import type { Transaction } from '../kernel/database/transaction.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Limiter } from '../kernel/limiter.ts'
import type { Workers } from '../workers/workers.ts'
import type { ArtistFinder } from './artist-finder.ts'
import type { FeedItemStore } from './feed-item-store.ts'
import type { FeedStore } from './feed-store.ts'

export interface FeedNeeds {
  artist: ArtistRoom
  workers: Workers
}

export interface FeedRoom extends Kernel, FeedNeeds {
  readonly name: 'feed'
  readonly atomically: Transaction
  readonly feeds: FeedStore
  readonly items: FeedItemStore
  readonly spotter: ArtistFinder
  /** One feed at a time: it is read in milliseconds, and analyses need the threads. */
  readonly reading: Limiter
}

/** Calls wait under it for changes of any feed. */
export const FEEDS_CHANGED = 'feeds'

/** The subject is the feed's id. */
export const REFRESH_JOB = 'feed/refresh'

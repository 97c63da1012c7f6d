import type { ArtistRoom } from '../artist/room.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { SongRoom } from '../song/room.ts'
import type { TrackRoom } from '../track/room.ts'
import type { FeedPages } from './feed-pages.ts'
import type { CatalogStore } from './store.ts'

/** What the room needs of others. */
export interface CatalogNeeds {
  artist: ArtistRoom
  song: SongRoom
  track: TrackRoom
}

/** What the catalog methods work with. */
export interface CatalogRoom extends Kernel, CatalogNeeds {
  readonly name: 'catalog'
  store: CatalogStore
  feedPages: FeedPages
}

/** The kind of the job that applies an update and resolves its items; the subject is the ticket. */
export const UPDATE_JOB = 'catalog/update'
/** The kind of the job that tries items again that could not be resolved. */
export const RETRY_JOB = 'catalog/retry'

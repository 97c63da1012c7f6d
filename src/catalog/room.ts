import type { ArtistRoom } from '../artist/room.ts'
import type { Transaction } from '../kernel/database/transaction.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { SongRoom } from '../song/room.ts'
import type { TrackRoom } from '../track/room.ts'
import type { CatalogStore } from './catalog-store.ts'
import type { DocumentStore } from './document-store.ts'
import type { FeedPages } from './feed-pages.ts'
import type { ItemStore } from './item-store.ts'
import type { ListeningStore } from './listening-store.ts'
import type { PlayStore } from './play-store.ts'
import type { TicketStore } from './ticket-store.ts'

export interface CatalogNeeds {
  artist: ArtistRoom
  song: SongRoom
  track: TrackRoom
}

export interface CatalogRoom extends Kernel, CatalogNeeds {
  readonly name: 'catalog'
  readonly atomically: Transaction
  readonly catalogs: CatalogStore
  readonly items: ItemStore
  readonly plays: PlayStore
  readonly tickets: TicketStore
  readonly listening: ListeningStore
  readonly documents: DocumentStore
  readonly feedPages: FeedPages
  isPopularityStale: boolean
}

/** Applies an update and resolves its items; the subject is the ticket's id. */
export const UPDATE_JOB = 'catalog/update'

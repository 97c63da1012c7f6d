import { transaction } from '../kernel/database/transaction.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { CatalogStore } from './catalog-store.ts'
import { DocumentStore } from './document-store.ts'
import { FeedPages } from './feed-pages.ts'
import { ItemStore } from './item-store.ts'
import { openListeningStore } from './listening-store.ts'
import { PlayStore } from './play-store.ts'
import { popularityJob } from './popularity-job.ts'
import { retryJob } from './retry-job.ts'
import type { CatalogNeeds, CatalogRoom } from './room.ts'
import { TicketStore } from './ticket-store.ts'
import { updateJob } from './update.ts'

/** After which an update without its last part is removed. */
const ABANDONED_MILLISECONDS = 24 * 3600 * 1000

export function openCatalogs(kernel: Kernel, needs: CatalogNeeds): CatalogRoom {
  const { db } = kernel
  const room: CatalogRoom = {
    ...kernel,
    ...needs,
    name: 'catalog',
    atomically: transaction(db),
    catalogs: new CatalogStore(db),
    items: new ItemStore(db),
    plays: new PlayStore(db),
    tickets: new TicketStore(db),
    listening: openListeningStore(db),
    documents: new DocumentStore(db),
    feedPages: new FeedPages(),
    isPopularityStale: false,
  }
  room.tickets.removeAbandoned(kernel.now() - ABANDONED_MILLISECONDS)
  kernel.handle(updateJob(room))
  kernel.handle(retryJob(room))
  kernel.handle(popularityJob(room))
  return room
}

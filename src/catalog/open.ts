import type { Kernel } from '../kernel/kernel.ts'
import { FeedPages } from './feed-pages.ts'
import { popularityJob } from './popularity-job.ts'
import { retryJob } from './retry-job.ts'
import type { CatalogNeeds, CatalogRoom } from './room.ts'
import { CatalogStore } from './store.ts'
import { updateJob } from './update-job.ts'

/** Milliseconds after which an update in parts, whose last part never came, is forgotten. */
const ABANDONED = 24 * 3600 * 1000

/** Opens the room, and forgets the updates that were begun and never ended. */
export function openCatalogs(kernel: Kernel, needs: CatalogNeeds): CatalogRoom {
  const store = new CatalogStore(kernel.db)
  const room: CatalogRoom = {
    ...kernel,
    ...needs,
    name: 'catalog',
    store,
    feedPages: new FeedPages(),
  }
  store.removeAbandoned(kernel.now() - ABANDONED)
  kernel.handle(updateJob(room))
  kernel.handle(retryJob(room))
  kernel.handle(popularityJob(room))
  return room
}

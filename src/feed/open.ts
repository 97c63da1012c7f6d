import { transaction } from '../kernel/database/transaction.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Limiter } from '../kernel/limiter.ts'
import { ArtistFinder } from './artist-finder.ts'
import { FeedItemStore } from './feed-item-store.ts'
import { FeedStore } from './feed-store.ts'
import { mentionJob } from './mention-job.ts'
import { refreshJob, resumeRefreshes, scheduleJob } from './refresh-job.ts'
import { removeJob } from './remove.ts'
import type { FeedNeeds, FeedRoom } from './room.ts'

export function openFeeds(kernel: Kernel, needs: FeedNeeds): FeedRoom {
  const { db } = kernel
  const room: FeedRoom = {
    ...kernel,
    ...needs,
    name: 'feed',
    atomically: transaction(db),
    feeds: new FeedStore(db),
    items: new FeedItemStore(db),
    spotter: new ArtistFinder(needs.artist.store),
    reading: new Limiter(1),
  }
  kernel.handle(refreshJob(room))
  kernel.handle(removeJob(room))
  kernel.handle(scheduleJob(room))
  kernel.handle(mentionJob(room))
  resumeRefreshes(room)
  return room
}

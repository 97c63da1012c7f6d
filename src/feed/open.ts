import type { Kernel } from '../kernel/kernel.ts'
import { Limiter } from '../kernel/limiter.ts'
import { refreshJob } from './refresh-job.ts'
import { removeJob } from './remove-job.ts'
import type { FeedNeeds, FeedRoom } from './room.ts'
import { resume, scheduleJob } from './schedule-job.ts'
import { spotJob } from './spot-job.ts'
import { Spotter } from './spotter.ts'
import { FeedStore } from './store.ts'

/** Opens the room, and takes up the feeds that are due. */
export function openFeeds(kernel: Kernel, needs: FeedNeeds): FeedRoom {
  const store = new FeedStore(kernel.db)
  const room: FeedRoom = {
    ...kernel,
    ...needs,
    name: 'feed',
    store,
    spotter: new Spotter(store, needs.artist.store),
    reading: new Limiter(1),
  }
  kernel.handle(refreshJob(room))
  kernel.handle(removeJob(room))
  kernel.handle(scheduleJob(room))
  kernel.handle(spotJob(room))
  resume(room)
  return room
}

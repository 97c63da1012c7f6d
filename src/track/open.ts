import { ANALYZER_VERSION } from '../analysis/version.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { analyzeJob } from './analyze-job.ts'
import { DuplicateSearches } from './duplicate-search.ts'
import type { TrackNeeds, TrackRoom } from './room.ts'
import { SoundSpace } from './sound-space.ts'
import { TrackStore } from './store.ts'

/** Opens the room, and removes the bytes that a crash left without a track. */
export async function openTracks(kernel: Kernel, needs: TrackNeeds): Promise<TrackRoom> {
  const store = new TrackStore(kernel.db)
  const room: TrackRoom = {
    ...needs.input,
    ...needs,
    name: 'track',
    store,
    space: new SoundSpace(store),
    duplicates: new DuplicateSearches(store),
    analyzerVersion: ANALYZER_VERSION,
  }
  kernel.handle(analyzeJob(room))
  await room.spool.sweep(kernel.now(), (md5) => store.spools(md5))
  return room
}

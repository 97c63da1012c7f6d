import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { packSoon } from '../recording/pack-job.ts'
import { forgetSongOf } from '../song/from-track.ts'
import { findTrack, trackReference } from './find-track.ts'
import { release } from './release-audio.ts'
import { ANALYZE_JOB, type TrackRoom } from './room.ts'

const parameters = z.strictObject(trackReference)

/**
 * `track/remove` (ours): forgets a track, its analysis and the copy of its bytes that audile kept.
 * A file of the user's own is never touched.
 */
export const remove = method({
  name: 'track/remove',
  parameters,
  run(context: TrackRoom, given): { id: string } {
    const { store, cancel, changes, song, domain } = context
    const { id, md5, spooled } = store.atomically(() => {
      const found = findTrack(store, given)
      store.remove(found.id)
      cancel(ANALYZE_JOB, found.id)
      if (found.songId !== null) {
        forgetSongOf(song, found.songId)
        packSoon(song)
        domain.publish('songs.changed', {})
      }
      return found
    })
    if (spooled && md5 !== null) release(context, md5)
    changes.poke(id)
    return { id }
  },
})

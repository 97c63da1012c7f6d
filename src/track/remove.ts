import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { packSoon } from '../recognition/index/pack-job.ts'
import { forgetSongOf } from '../song/from-track.ts'
import { findTrack, trackReference } from './find-track.ts'
import { ANALYZE_JOB } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import { releaseAudio } from './track-audio.ts'

const parameters = z.strictObject(trackReference)

/**
 * `track/remove` (ours): removes a track, its analysis and the copy of its bytes that audile kept. A
 * file of the user's own stays.
 */
export const remove = method({
  name: 'track/remove',
  parameters,
  run(room: TrackRoom, given): { id: string } {
    const { store, cancel, changes, song, domain } = room
    const { id, md5, cached } = store.atomically(() => {
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
    if (cached && md5 !== null) releaseAudio(room, md5)
    changes.poke(id)
    return { id }
  },
})

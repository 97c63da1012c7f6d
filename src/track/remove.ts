import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { enqueuePacking } from '../recognition/index/pack-job.ts'
import { forgetSongOf } from '../song/from-track.ts'
import { findTrack, trackReference } from './find-track.ts'
import { ANALYZE_JOB } from './request-analysis.ts'
import { HEAR_ALL_JOB, HEAR_JOB } from './request-hearing.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { releaseAudio } from './track-audio.ts'

/**
 * `track/remove` (ours): removes a track, its analysis and the kept copy of its bytes. The user's
 * own files stay.
 */
export const removeOneTrack = method({
  name: 'track/remove',
  parameters: z.strictObject(trackReference),
  run(room: TrackRoom, reference): { id: string } {
    const { store, changes } = room
    const { id, md5, cached } = store.atomically(() => {
      const track = findTrack(store, reference)
      removeTrack(room, track)
      room.library.update()
      return track
    })
    if (cached && md5 !== null) releaseAudio(room, md5)
    changes.wakeWaits(id)
    return { id }
  },
})

/** Call it inside a transaction. */
export function removeTrack(
  { store, cancel, song, domain }: TrackRoom,
  { id, songId }: Pick<TrackRow, 'id' | 'songId'>,
): void {
  store.remove(id)
  for (const kind of [ANALYZE_JOB, HEAR_JOB, HEAR_ALL_JOB]) cancel(kind, id)
  if (songId === null) return
  forgetSongOf(song, songId)
  enqueuePacking(song)
  domain.publishEvent('songs.changed', {})
}

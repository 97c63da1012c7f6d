import { z } from 'zod'
import { ANALYZE_JOB, type TrackContext } from './context.ts'
import { findTrack, trackReference } from './find-track.ts'
import { release } from './release-audio.ts'

export const parameters = z.strictObject(trackReference)

/**
 * `track/remove` (ours): forgets a track, its analysis and the copy of its bytes that audile kept.
 * A file of the user's own is never touched.
 */
export function remove(context: TrackContext, given: z.output<typeof parameters>): { id: string } {
  const { store, cancel, waiters, forgetSong } = context
  const { id, md5, spooled } = store.atomically(() => {
    const found = findTrack(store, given)
    store.remove(found.id)
    cancel(ANALYZE_JOB, found.id)
    if (found.songId !== null) forgetSong(found.songId)
    return found
  })
  if (spooled && md5 !== null) release(context, md5)
  waiters.poke(id)
  return { id }
}

import { z } from 'zod'
import { ANALYZE_JOB, type TrackContext } from './context.ts'
import { findTrack, trackReference } from './find.ts'

export const parameters = z.strictObject(trackReference)

/**
 * `track/remove` (ours): forgets a track, its analysis and the copy of its bytes that audile kept.
 * A file of the user's own is never touched.
 */
export function remove(
  { store, spool, cancel, waiters, forgetSong }: TrackContext,
  given: z.output<typeof parameters>,
): { id: string } {
  const { id } = store.atomically(() => {
    const found = findTrack(store, given)
    store.remove(found.id)
    cancel(ANALYZE_JOB, found.id)
    if (found.songId !== null) forgetSong(found.songId)
    if (found.spooled && found.md5 !== null) spool.discard(found.md5)
    return found
  })
  waiters.poke(id)
  return { id }
}

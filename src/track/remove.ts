import { z } from 'zod'
import { ANALYZE_JOB, type TrackContext } from './context.ts'
import { findTrack, trackReference } from './find.ts'

export const parameters = z.strictObject(trackReference)

/**
 * `track/remove` (ours): forgets a track, its analysis and the copy of its bytes that audile kept.
 * A file of the user's own is never touched.
 */
export async function remove(
  { store, spool, cancel, waiters }: TrackContext,
  given: z.output<typeof parameters>,
): Promise<{ id: string }> {
  const row = store.atomically(() => {
    const found = findTrack(store, given)
    store.remove(found.id)
    cancel(ANALYZE_JOB, found.id)
    return found
  })
  waiters.poke(row.id)
  if (row.spooled && row.path !== null) await spool.discard(row.path)
  return { id: row.id }
}

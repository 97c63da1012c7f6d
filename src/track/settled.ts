import { z } from 'zod'
import type { Call } from '../call.ts'
import type { TrackContext } from './context.ts'
import { findTrack, trackReference } from './find-track.ts'
import { describeAttempt, type TrackAnswer } from './track-answer.ts'

export const parameters = z.strictObject(trackReference)

/** `track/settled` (ours): waits until a track is not pending; starts nothing. */
export async function settled(
  context: TrackContext,
  given: z.output<typeof parameters>,
  { signal }: Call,
): Promise<TrackAnswer> {
  const { id } = findTrack(context.store, given)
  return describeAttempt(context, await context.waiters.settled(id, signal), undefined)
}

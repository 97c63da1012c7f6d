import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, settledTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import { describeAttempt, type TrackAnswer } from './track-answer.ts'

const parameters = z.strictObject(trackReference)

/** `track/settled` (ours): waits until a track is not pending; starts nothing. */
export const settled = method({
  name: 'track/settled',
  parameters,
  async run(context: TrackRoom, given, { signal }): Promise<TrackAnswer> {
    const { id } = findTrack(context.store, given)
    return describeAttempt(context, await settledTrack(context, id, signal), undefined)
  },
})

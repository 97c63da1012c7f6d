import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import { answerRequest } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackProfile } from './track-answer.ts'

const parameters = z.strictObject(trackReference)

/** `track/settled` (ours): waits until a track is not pending; starts no analysis. */
export const settled = method({
  name: 'track/settled',
  parameters,
  run(room: TrackRoom, given, { signal }): Promise<TrackProfile> {
    const { id } = findTrack(room.store, given)
    return answerRequest(room, id, { wait: true }, signal)
  },
})

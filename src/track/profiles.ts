import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { describeAll, summary, type TrackProfile } from './track-answer.ts'

/** `track/profiles` (ours): tracks in the order of their ids, without those that are gone. */
export const trackProfiles = method({
  name: 'track/profiles',
  parameters: z.strictObject({
    /** Ids of tracks, at most 500. */
    ids: z.array(z.string()).max(500),
    ...summary,
  }),
  run({ store }: TrackRoom, { ids, bucket }): TrackProfile[] {
    return describeAll(store, ids, bucket)
  },
})

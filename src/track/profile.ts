import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import type { TrackRoom } from './room.ts'
import { bucket, describe, describeAll, type TrackProfile } from './track-answer.ts'

const parameters = z.strictObject({
  ...trackReference,
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** `track/profile`: what is known of an uploaded track, or of one that only an import names. */
export const profile = method({
  name: 'track/profile',
  verbs: ['GET'],
  local: ['file'],
  parameters,
  run(room: TrackRoom, given): TrackProfile {
    const { store } = room
    return importedTrack(room, given) ?? describe(store, findTrack(store, given), given.bucket)
  },
})

/** `track/profiles` (ours): the tracks with the ids, in their order, without those that are gone. */
export const profiles = method({
  name: 'track/profiles',
  parameters: z.strictObject({
    /** Ids of tracks, at most 500. */
    ids: z.array(z.string()).max(500),
    /** `audio_summary`: what the analysis says in short. */
    bucket,
  }),
  run({ store }: TrackRoom, { ids, bucket }): TrackProfile[] {
    return describeAll(store, ids, bucket)
  },
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import type { TrackRoom } from './room.ts'
import { describeTrack, summary, type TrackProfile } from './track-answer.ts'

const profileParameters = z.strictObject({
  ...trackReference,
  ...summary,
})

/** `track/profile`: what is known of an uploaded track, or of one that only an import names. */
export const trackProfile = method({
  name: 'track/profile',
  verbs: ['GET'],
  local: ['file'],
  parameters: profileParameters,
  run(room: TrackRoom, query): TrackProfile {
    const { store } = room
    return importedTrack(room, query) ?? describeTrack(store, findTrack(store, query), query.bucket)
  },
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import type { TrackRoom } from './room.ts'
import { describe, summary, type TrackProfile } from './track-answer.ts'

const parameters = z.strictObject({
  ...trackReference,
  ...summary,
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

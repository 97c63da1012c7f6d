import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, isOwn, type TrackReference, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import type { TrackRoom } from './room.ts'
import { bucket, describe, type TrackAnswer } from './track-answer.ts'

const parameters = z.strictObject({
  ...trackReference,
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** `track/profile`: what is known of a track; of one that is only named by an import, too. */
export const profile = method({
  name: 'track/profile',
  verbs: ['GET'],
  parameters,
  run(context: TrackRoom, given): TrackAnswer {
    return notSubmitted(context, given) ?? known(context, given)
  },
})

/** A track that is known but was never submitted for analysis. */
export function notSubmitted(
  { store, song }: TrackRoom,
  { id, md5 }: TrackReference,
): TrackAnswer | undefined {
  if (id === undefined || md5 !== undefined || isOwn(store, id)) return undefined
  return importedTrack(song.store, id)
}

function known(context: TrackRoom, given: z.output<typeof parameters>): TrackAnswer {
  return describe(context, findTrack(context.store, given), given.bucket)
}

import { z } from 'zod'
import type { TrackContext } from './context.ts'
import { findTrack, isOwn, type TrackReference, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import { bucket, describe, type TrackAnswer } from './track-answer.ts'

export const parameters = z.strictObject({ ...trackReference, bucket })

/** `track/profile`: what is known of a track; of one that is only named by an import, too. */
export function profile(context: TrackContext, given: z.output<typeof parameters>): TrackAnswer {
  return notSubmitted(context, given) ?? known(context, given)
}

/** A track that is known but was never submitted for analysis. */
export function notSubmitted(
  { store, songs }: TrackContext,
  { id, md5 }: TrackReference,
): TrackAnswer | undefined {
  if (id === undefined || md5 !== undefined || isOwn(store, id)) return undefined
  return importedTrack(songs, id)
}

function known(context: TrackContext, given: z.output<typeof parameters>): TrackAnswer {
  return describe(context, findTrack(context.store, given), given.bucket)
}

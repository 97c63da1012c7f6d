import { z } from 'zod'
import type { TrackContext } from './context.ts'
import { bucket, describe, type TrackAnswer } from './describe.ts'
import { findTrack, trackReference } from './find.ts'

export const parameters = z.strictObject({ ...trackReference, bucket })

/** `track/profile`: what is known of a track. */
export function profile(context: TrackContext, given: z.output<typeof parameters>): TrackAnswer {
  return describe(context, findTrack(context.store, given), given.bucket)
}

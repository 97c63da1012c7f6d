import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTrack, settledTrack, trackReference } from './find-track.ts'
import { notSubmitted } from './profile.ts'
import { ANALYZE_JOB, PRIORITY, type TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { bucket, describeAttempt, statusOf, type TrackAnswer } from './track-answer.ts'
import { requireWait } from './upload.ts'

const parameters = z
  .strictObject({
    ...trackReference,
    /** Whether to answer when the analysis is done. Default: at once. */
    wait: z.boolean().optional(),
    /** `audio_summary`: what the analysis says in short. Only with `wait`. */
    bucket,
  })
  .superRefine(requireWait)

/**
 * `track/analyze`: analyses an uploaded track with the latest analyzer version. One that has it
 * already is left as it is; one that only an import names has no audio, and stays `unknown`.
 */
export const analyze = method({
  name: 'track/analyze',
  verbs: ['POST'],
  parameters,
  async run(context: TrackRoom, given, { signal }): Promise<TrackAnswer> {
    const { store } = context
    const unknown = notSubmitted(context, given)
    if (unknown) return unknown
    const { id } = findTrack(store, given)
    const pended = store.atomically(() => {
      const row = store.byId(id) as TrackRow
      const status = statusOf(row, context.analyzerVersion)
      if (status === 'complete') return false
      if (status !== 'pending') store.pend(id, context.now())
      const priority = given.wait ? PRIORITY.awaited : PRIORITY.background
      context.enqueue({ kind: ANALYZE_JOB, subject: id, priority })
      return status !== 'pending'
    })
    if (pended) context.emit('track', { id, status: 'pending', progress: 0 })
    const row = given.wait ? await settledTrack(context, id, signal) : (store.byId(id) as TrackRow)
    return describeAttempt(context, row, given.bucket)
  },
})

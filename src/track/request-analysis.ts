import type { z } from 'zod'
import { findTrack } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { describeTrack, type TrackBucket, type TrackProfile } from './track-answer.ts'

export const ANALYZE_JOB = 'track/analyze'

export interface AnalysisRequest {
  wait?: boolean | undefined
  bucket?: TrackBucket | TrackBucket[] | undefined
}

export function requireWait(request: AnalysisRequest, context: z.core.$RefinementCtx): void {
  if (request.bucket === undefined || request.wait) return
  const message = 'is valid only when wait is true'
  context.addIssue({ code: 'custom', message, path: ['bucket'], input: request.bucket })
}

/** At the upload. A file that still has both is not hashed again. */
export type SeenFile = { size: number; modified: number } | null

/** Those of waiting calls go first, repeated ones last. */
export function enqueueAnalysis(
  { enqueue, store }: Pick<TrackRoom, 'enqueue' | 'store'>,
  id: string,
  { wait }: AnalysisRequest,
  seenFile: SeenFile = null,
): void {
  const isRepeated = store.byId(id)?.analyzerVersion != null
  const priority = (wait ? 10 : 0) - Number(isRepeated)
  enqueue({ kind: ANALYZE_JOB, subject: id, payload: seenFile, priority })
}

export async function answerRequest(
  room: TrackRoom,
  id: string,
  { wait, bucket }: AnalysisRequest,
  signal: AbortSignal,
): Promise<TrackProfile> {
  const row = wait ? await waitUntilSettled(room, id, signal) : findTrack(room.store, { id })
  const answer = describeTrack(room.store, row, bucket)
  // The attempt failed, although an older analysis may still be there.
  if (answer.status === 'unavailable' && row.status === 'error') answer.status = 'error'
  return answer
}

function waitUntilSettled(
  { store, changes }: TrackRoom,
  id: string,
  signal: AbortSignal,
): Promise<TrackRow> {
  return changes.waitUntil(id, signal, () => {
    const row = findTrack(store, { id })
    return row.status === 'pending' ? undefined : row
  })
}

import type { z } from 'zod'
import { findTrack } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { describe, type TrackBucket, type TrackProfile } from './track-answer.ts'

/** The kind of the job that analyses a track. */
export const ANALYZE_JOB = 'track/analyze'

/** The parameters of a call that asks for an analysis. */
export interface AnalysisRequest {
  wait?: boolean | undefined
  bucket?: TrackBucket | TrackBucket[] | undefined
}

/** Rejects a bucket without `wait`: there is no analysis yet to fill it. */
export function requireWait(given: AnalysisRequest, context: z.core.$RefinementCtx): void {
  if (given.bucket === undefined || given.wait) return
  const message = 'is valid only when wait is true'
  context.addIssue({ code: 'custom', message, path: ['bucket'], input: given.bucket })
}

/** The size and modification time at the upload. A file that still has both is not hashed again. */
export type SeenFile = { size: number; modified: number } | null

/** Enqueues the analysis of a track; those of waiting calls go first. */
export function enqueueAnalysis(
  { enqueue }: TrackRoom,
  id: string,
  { wait }: AnalysisRequest,
  seen: SeenFile = null,
): void {
  enqueue({ kind: ANALYZE_JOB, subject: id, payload: seen, priority: wait ? 10 : 0 })
}

/** Answers a call that asked for an analysis; with `wait`, when it has ended. */
export async function answerRequest(
  room: TrackRoom,
  id: string,
  { wait, bucket }: AnalysisRequest,
  signal: AbortSignal,
): Promise<TrackProfile> {
  const row = wait ? await settledTrack(room, id, signal) : findTrack(room.store, { id })
  const answer = describe(room.store, row, bucket)
  // The attempt failed, although an older analysis may still be there.
  if (answer.status === 'unavailable' && row.status === 'error') answer.status = 'error'
  return answer
}

/**
 * Waits until a track is not pending.
 *
 * @throws the signal's reason on abort; the analysis goes on
 * @throws {ParameterError} `unknown_identifier` when the track is removed meanwhile
 */
function settledTrack(
  { store, changes }: TrackRoom,
  id: string,
  signal: AbortSignal,
): Promise<TrackRow> {
  return changes.until(id, signal, () => {
    const row = findTrack(store, { id })
    return row.status === 'pending' ? undefined : row
  })
}

import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { TrackStatus } from '../kernel/events.ts'

/** The stored states. A complete track of another analyser version is `unavailable` in answers. */
export type StoredStatus = 'unknown' | 'pending' | 'complete' | 'error'

/**
 * The state as the specification has it. A track with an analysis is `complete`, or `unavailable` when
 * another version of the analyser made it, even if a later attempt failed.
 */
export function statusOf({
  status,
  analyzerVersion,
}: {
  status: StoredStatus
  analyzerVersion: string | null
}): TrackStatus {
  if (status === 'pending' || analyzerVersion === null) return status
  return analyzerVersion === ANALYZER_VERSION ? 'complete' : 'unavailable'
}

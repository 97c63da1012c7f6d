import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { TrackStatus } from '../kernel/events.ts'

/** The stored states. A complete track of another analyser version is `unavailable` in answers. */
export type StoredStatus = 'unknown' | 'pending' | 'complete' | 'error'

/**
 * The state as the specification has it. A track with an analysis is `complete`, or `unavailable` when
 * another version of the analyser made it, even if a later attempt failed. An imported analysis is
 * always `complete`: there is no audio to analyse again.
 */
export function statusOf({
  status,
  analyzerVersion,
  importedAnalysis,
}: {
  status: StoredStatus
  analyzerVersion: string | null
  importedAnalysis: 0 | 1 | null
}): TrackStatus {
  if (status === 'pending' || analyzerVersion === null) return status
  const isCurrent = analyzerVersion === ANALYZER_VERSION || importedAnalysis === 1
  return isCurrent ? 'complete' : 'unavailable'
}

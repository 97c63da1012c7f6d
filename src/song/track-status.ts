import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { TrackStatus } from '../kernel/events.ts'

/** A complete track of another analyser version is `unavailable` in answers. */
export type StoredStatus = 'unknown' | 'pending' | 'complete' | 'error'

/**
 * `unavailable` when another analyser version made the analysis; an imported one is always
 * `complete`.
 */
export function trackStatusOf({
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

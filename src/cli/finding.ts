import type { AnalysisDocument, TrackAnswer } from '../index.ts'

/** The result for one file: its track, or an error. */
export interface Finding {
  /** Its absolute path. */
  file: string
  track?: TrackAnswer
  /** Why it could not be analysed. */
  error?: string
  analysis?: AnalysisDocument
}

import type { AnalysisDocument, TrackAnswer } from '../index.ts'

/** What became of one file: its track, or why there is none. */
export interface Finding {
  /** Its absolute path. */
  file: string
  track?: TrackAnswer
  /** Why it could not be analysed. */
  error?: string
  analysis?: AnalysisDocument
}

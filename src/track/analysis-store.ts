import type { AnalysisSummary } from '../analysis/document-summary.ts'
import { all, count, run, storeOf, value } from '../kernel/database/statements.ts'
import { SET_SUMMARY } from '../song/fact-columns.ts'
import { stored } from '../song/facts.ts'

/** A track that can be compared with others. */
export interface ComparableRow {
  /** Ascends with the order in which tracks were added. */
  number: number
  trackId: string
  songId: string | null
  audioMd5: string | null
  /** Seconds. */
  duration: number
}

/** The documents and summaries of analyses, and the table `track_sounds`, by which tracks are compared. */
export class AnalysisStore extends storeOf({
  /** The analysis document, as raw deflate of its text. */
  document: value<[trackId: string], Buffer>(
    'SELECT document FROM analysis_documents WHERE track_id = ?',
  ),
  updateSummary: run<Record<string, number | string | null>>(
    `UPDATE analyses SET ${SET_SUMMARY} WHERE track_id = @trackId`,
  ),
  // Writes nothing when the track was removed meanwhile.
  insertSound: run<{
    trackId: string
    descriptor: Uint8Array
  }>(
    `INSERT OR REPLACE INTO track_sounds (track_id, descriptor)
     SELECT @trackId, @descriptor
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
  ),
  /** Analysed tracks with higher numbers, by ascending number. */
  comparable: all<[after: number, results: number], ComparableRow>(
    `SELECT t.rowid AS number, t.id AS trackId, t.song_id AS songId, t.audio_md5 AS audioMd5,
       a.duration
     FROM tracks t JOIN analyses a ON a.track_id = t.id
     WHERE t.rowid > ? ORDER BY t.rowid LIMIT ?`,
  ),
  countAfter: count<[after: number]>(
    'SELECT count(*) FROM tracks t JOIN analyses a ON a.track_id = t.id WHERE t.rowid > ?',
  ),
}) {
  setSummary(trackId: string, summary: AnalysisSummary): void {
    this.updateSummary({ ...stored(summary), trackId })
  }

  setDescriptor(trackId: string, descriptor: Float32Array): void {
    const { buffer, byteOffset, byteLength } = descriptor
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    this.insertSound({ trackId, descriptor: bytes })
  }
}

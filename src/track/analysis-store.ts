import { type AnalysisSummary, SUMMARY_VERSION } from '../analysis/document-summary.ts'
import {
  all,
  count,
  exists,
  only,
  run,
  storeOf,
  value,
  values,
} from '../kernel/database/statements.ts'
import { SET_SUMMARY } from '../song/fact-columns.ts'
import { stored } from '../song/facts.ts'

/** A stored descriptor. Its id is higher than that of any that was stored before. */
export interface DescriptorRow {
  id: number
  trackId: string
  /** 32-bit floats. */
  descriptor: Buffer
}

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

/** Rows of a version after an id, in the order of their ids. */
type Page = [version: string, after: number, results: number]

/** The documents and summaries of analyses, and the table `track_sounds`, by which tracks are compared. */
export class AnalysisStore extends storeOf({
  countDocuments: count<[]>('SELECT count(*) FROM analysis_documents'),
  /** The analysis document, as raw deflate of its text. */
  document: value<[trackId: string], Buffer>(
    'SELECT document FROM analysis_documents WHERE track_id = ?',
  ),
  hasOlderSummary: exists<[version: number]>('SELECT 1 FROM analyses WHERE summary_version < ?'),
  /** Tracks after a track whose summary is of an older version, in the order of their ids. */
  withOlderSummary: values<[version: number, after: string, results: number], string>(
    // The plus sign keeps to the order of the ids, so that no page is searched from the start.
    `SELECT track_id FROM analyses WHERE +summary_version < ? AND track_id > ?
     ORDER BY track_id LIMIT ?`,
  ),
  summaryVersion: value<[trackId: string], number | null>(
    'SELECT summary_version FROM analyses WHERE track_id = ?',
  ),
  updateSummary: run<Record<string, number | string | null>>(
    `UPDATE analyses SET ${SET_SUMMARY}, summary_version = @summaryVersion
     WHERE track_id = @trackId`,
  ),
  // Writes nothing when the track was removed meanwhile.
  insertSound: run<{
    trackId: string
    version: string
    descriptor: Uint8Array
  }>(
    // The column `sketch` is of older versions; nothing reads it.
    `INSERT OR REPLACE INTO track_sounds (track_id, version, descriptor, sketch)
     SELECT @trackId, @version, @descriptor, x''
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
  ),
  /** The number of sounds of a version, and their highest id; while both stay, no sound changed. */
  countSounds: only<[version: string], { count: number; last: number }>(
    'SELECT count(*) AS count, coalesce(max(id), 0) AS last FROM track_sounds WHERE version = ?',
  ),
  soundIds: values<Page, number>(
    'SELECT id FROM track_sounds WHERE version = ? AND id > ? ORDER BY id LIMIT ?',
  ),
  descriptors: all<Page, DescriptorRow>(
    `SELECT id, track_id AS trackId, descriptor FROM track_sounds
     WHERE version = ? AND id > ? ORDER BY id LIMIT ?`,
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
  /** Analysed tracks after a track, in the order of their ids, and whether each has a sound. */
  analyzedAfter: all<
    { trackId: string; version: string; results: number },
    { trackId: string; sounds: 0 | 1 }
  >(
    `SELECT a.track_id AS trackId, EXISTS (
       SELECT 1 FROM track_sounds d
       WHERE d.track_id = a.track_id AND d.version = @version) AS sounds
     FROM analyses a WHERE a.track_id > @trackId ORDER BY a.track_id LIMIT @results`,
  ),
}) {
  /** Sets what the document of a track says in the summary. */
  setSummary(trackId: string, summary: AnalysisSummary): void {
    this.updateSummary({ ...stored(summary), trackId, summaryVersion: SUMMARY_VERSION })
  }

  setDescriptor(trackId: string, version: string, descriptor: Float32Array): void {
    const { buffer, byteOffset, byteLength } = descriptor
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    this.insertSound({ trackId, version, descriptor: bytes })
  }
}

import type { AnalysisSummary } from '../analysis/document-summary.ts'
import type { MeasuredWaveform } from '../analysis/waveform.ts'
import { all, count, one, run, storeOf, value } from '../kernel/database/statements.ts'
import { SET_SUMMARY } from '../song/fact-columns.ts'
import { toStored } from '../song/facts.ts'

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

/** What was measured of a track's sound beside its document; the blobs are packed. */
export interface WaveformRow {
  /** Of the file, Hz. */
  sampleRate: number
  /** Samples in a channel. */
  samples: number
  /** Pairs of 32 bits, as in `analysis/loudness-measures.ts`. */
  blocks: Uint8Array
  /** Raw deflate of the pixels, as in `analysis/waveform.ts`. */
  peaks: Uint8Array
}

/** The blocks of loudness of a track, and its true peak; it has no peak if it is shorter than a block. */
export interface LevelRow {
  num: number
  blocks: Buffer
  truePeak: number | null
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
  waveform: one<[trackId: string], Omit<WaveformRow, 'blocks'>>(
    `SELECT sample_rate AS sampleRate, samples, peaks FROM track_waveforms WHERE track_id = ?`,
  ),
  // Writes nothing when the track was removed meanwhile.
  insertWaveform: run<WaveformRow & { trackId: string }>(
    `INSERT OR REPLACE INTO track_waveforms (track_id, sample_rate, samples, blocks, peaks)
     SELECT @trackId, @sampleRate, @samples, @blocks, @peaks
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
  ),
  /**
   * The levels of the tracks with these numbers, as JSON, that were measured. A sound shorter than a
   * block has no blocks and no peak.
   */
  levels: all<[nums: string], LevelRow>(
    `SELECT n.num, w.blocks, a.true_peak AS truePeak FROM json_each(?) j
     JOIN track_nums n ON n.num = j.value JOIN track_waveforms w ON w.track_id = n.track_id
     JOIN analyses a ON a.track_id = n.track_id 
     WHERE a.true_peak IS NOT NULL OR length(w.blocks) = 0`,
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
    this.updateSummary({ ...toStored(summary), trackId })
  }

  setDescriptor(trackId: string, descriptor: Float32Array): void {
    this.insertSound({ trackId, descriptor: bytesOf(descriptor) })
  }

  setWaveform(trackId: string, { blocks, ...waveform }: MeasuredWaveform): void {
    this.insertWaveform({ ...waveform, trackId, blocks: bytesOf(blocks) })
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

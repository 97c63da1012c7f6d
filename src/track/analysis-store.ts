import type { AnalysisSummary } from '../analysis/document-summary.ts'
import type { MeasuredWaveform } from '../analysis/waveform.ts'
import { all, count, one, run, storeOf, value } from '../kernel/database/statements.ts'
import { SET_SUMMARY } from '../song/fact-columns.ts'
import { toStored } from '../song/facts.ts'

export interface ComparableRow {
  /** Ascends with the order of adding. */
  number: number
  trackId: string
  songId: string | null
  audioMd5: string | null
  /** Seconds. */
  duration: number
}

/** The blobs are packed. */
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

/** `null` for a sound that is shorter than a block. */
export interface LevelRow {
  num: number
  blocks: Buffer
  truePeak: number | null
}

export class AnalysisStore extends storeOf({
  /** Raw deflate of its text. */
  document: value<[trackId: string], Buffer>(
    'SELECT document FROM analysis_documents WHERE track_id = ?',
  ),
  updateSummary: run<Record<string, number | string | null>>(
    `UPDATE analyses SET ${SET_SUMMARY} WHERE track_id = @trackId`,
  ),
  // Nothing when the track was removed meanwhile.
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
  // Nothing when the track was removed meanwhile.
  insertWaveform: run<WaveformRow & { trackId: string }>(
    `INSERT OR REPLACE INTO track_waveforms (track_id, sample_rate, samples, blocks, peaks)
     SELECT @trackId, @sampleRate, @samples, @blocks, @peaks
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
  ),
  /** @param nums - a list as JSON */
  levels: all<[nums: string], LevelRow>(
    `SELECT n.num, w.blocks, a.true_peak AS truePeak FROM json_each(?) j
     JOIN track_nums n ON n.num = j.value JOIN track_waveforms w ON w.track_id = n.track_id
     JOIN analyses a ON a.track_id = n.track_id 
     WHERE a.true_peak IS NOT NULL OR length(w.blocks) = 0`,
  ),
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
    this.insertSound({ trackId, descriptor: bytesOfArray(descriptor) })
  }

  setWaveform(trackId: string, { blocks, ...waveform }: MeasuredWaveform): void {
    this.insertWaveform({ ...waveform, trackId, blocks: bytesOfArray(blocks) })
  }
}

function bytesOfArray({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

import { z } from 'zod'
import type { AnalysisSummary } from '../analysis/document-summary.ts'
import { one, run, storeOf } from '../kernel/database/statements.ts'

const partCorrection = z.strictObject({
  /** Where the part begins, seconds. */
  from: z.number(),
  /** Absent: at the end of the track. */
  to: z.number().optional(),
  /** Beats per minute. */
  tempo: z.number().optional(),
  /** A moment of the part at which a bar begins, in seconds. */
  downbeat: z.number().optional(),
})

/** A beat of a grid that a user has laid. */
export const gridAnchor = z.strictObject({
  /** Seconds. */
  time: z.number(),
  /** Beats per minute from here on. */
  tempo: z.number(),
  /** Its place in the bar, from 1. */
  place: z.int().optional(),
})

export const trackCorrections = z.strictObject({
  /** Beats per minute. */
  tempo: z.number().optional(),
  /** A moment at which a bar begins, in seconds. */
  downbeat: z.number().optional(),
  /** Pitch class of the tonic, 0 is C. */
  key: z.number().optional(),
  /** 1 major, 0 minor. */
  mode: z.number().optional(),
  /** Beats in a bar. */
  timeSignature: z.number().optional(),
  /** BPM: a hint. `tempo` has priority. */
  tempoRange: z.tuple([z.number(), z.number()]).optional(),
  /** In place of tempo and downbeat. */
  grid: z.array(gridAnchor).min(1).optional(),
  /** Applied after those of the whole, in order. */
  parts: z.array(partCorrection).optional(),
})

/** A user's corrections of an analysis, and the expected tempo. Absent fields are not corrected. */
export type TrackCorrections = z.output<typeof trackCorrections>

/** The values of an analysis that can be corrected, as it heard them. */
export type Heard = Pick<
  AnalysisSummary,
  'tempo' | 'key' | 'mode' | 'timeSignature' | 'firstDownbeat'
>

export interface CorrectionRow {
  /** {@link TrackCorrections}, as JSON. */
  corrections: string
  /** {@link Heard}, as JSON; `null` while there is no analysis. */
  heard: string | null
}

export class CorrectionStore extends storeOf({
  row: one<[trackId: string], CorrectionRow>(
    'SELECT corrections, heard FROM track_corrections WHERE track_id = ?',
  ),
  put: run<CorrectionRow & { trackId: string }>(
    `INSERT OR REPLACE INTO track_corrections (track_id, corrections, heard)
     VALUES (@trackId, @corrections, @heard)`,
  ),
  remove: run<[trackId: string]>('DELETE FROM track_corrections WHERE track_id = ?'),
}) {
  of(trackId: string): TrackCorrections | undefined {
    const row = this.row(trackId)
    return row && (JSON.parse(row.corrections) as TrackCorrections)
  }

  set(trackId: string, newCorrections: TrackCorrections, heard: Heard | undefined): void {
    const corrections = JSON.stringify(newCorrections)
    if (corrections === '{}') this.remove(trackId)
    else this.put({ trackId, corrections, heard: heard ? JSON.stringify(heard) : null })
  }
}

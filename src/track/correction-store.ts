import { one, run, storeOf } from '../kernel/database/statements.ts'

/** What a user put right in the analysis of a track, and expects of it. Absent: nothing. */
export interface TrackCorrections {
  /** Beats per minute. */
  tempo?: number
  /** A moment at which a bar begins, in seconds. */
  downbeat?: number
  /** Pitch class of the tonic, 0 is C. */
  key?: number
  /** 1 major, 0 minor. */
  mode?: number
  /** Beats in a bar. */
  timeSignature?: number
  /** Beats per minute between which the tempo is expected: a hint, which `tempo` goes before. */
  tempoRange?: [low: number, high: number]
}

interface CorrectionRow {
  tempo: number | null
  downbeat: number | null
  key: number | null
  mode: number | null
  timeSignature: number | null
  tempoLow: number | null
  tempoHigh: number | null
}

/** The table `track_corrections`. */
export class CorrectionStore extends storeOf({
  row: one<[trackId: string], CorrectionRow>(
    `SELECT tempo, downbeat, "key", mode, time_signature AS timeSignature,
       tempo_low AS tempoLow, tempo_high AS tempoHigh
     FROM track_corrections WHERE track_id = ?`,
  ),
  insert: run<CorrectionRow & { trackId: string }>(
    `INSERT INTO track_corrections
       (track_id, tempo, downbeat, "key", mode, time_signature, tempo_low, tempo_high)
     VALUES (@trackId, @tempo, @downbeat, @key, @mode, @timeSignature, @tempoLow, @tempoHigh)`,
  ),
  remove: run<[trackId: string]>('DELETE FROM track_corrections WHERE track_id = ?'),
}) {
  /** The corrections of a track; `undefined` without any. */
  of(trackId: string): TrackCorrections | undefined {
    const row = this.row(trackId)
    if (!row) return undefined
    const { tempo, downbeat, key, mode, timeSignature, tempoLow, tempoHigh } = row
    return {
      ...(tempo !== null && { tempo }),
      ...(downbeat !== null && { downbeat }),
      ...(key !== null && { key }),
      ...(mode !== null && { mode }),
      ...(timeSignature !== null && { timeSignature }),
      ...(tempoLow !== null && tempoHigh !== null && { tempoRange: [tempoLow, tempoHigh] }),
    }
  }

  /** Sets all corrections of a track. */
  set(trackId: string, given: TrackCorrections): void {
    this.remove(trackId)
    if (Object.keys(given).length === 0) return
    const { tempo, downbeat, key, mode, timeSignature, tempoRange } = given
    this.insert({
      trackId,
      tempo: tempo ?? null,
      downbeat: downbeat ?? null,
      key: key ?? null,
      mode: mode ?? null,
      timeSignature: timeSignature ?? null,
      tempoLow: tempoRange?.[0] ?? null,
      tempoHigh: tempoRange?.[1] ?? null,
    })
  }
}

import type { OwnCue } from '../analysis/cues/own-cues.ts'
import { all, run, storeOf } from '../kernel/database/statements.ts'
import { known } from '../values/known.ts'

interface CueRow {
  number: number
  time: number
  end: number | null
  name: string | null
  colour: string | null
}

export class CueStore extends storeOf({
  rows: all<[trackId: string], CueRow>(
    'SELECT number, time, "end", name, colour FROM track_cues WHERE track_id = ? ORDER BY number',
  ),
  put: run<CueRow & { trackId: string }>(
    `INSERT OR REPLACE INTO track_cues (track_id, number, time, "end", name, colour)
     VALUES (@trackId, @number, @time, @end, @name, @colour)`,
  ),
  remove: run<[trackId: string, number: number]>(
    'DELETE FROM track_cues WHERE track_id = ? AND number = ?',
  ),
  clear: run<[trackId: string]>('DELETE FROM track_cues WHERE track_id = ?'),
}) {
  of(trackId: string): OwnCue[] {
    return this.rows(trackId).map((row) => known(row))
  }

  /** Each replaces the one with its number. */
  set(trackId: string, cues: readonly OwnCue[]): void {
    for (const { number, time, end = null, name = null, colour = null } of cues)
      this.put({ trackId, number, time, end, name, colour })
  }
}

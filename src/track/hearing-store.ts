import { exists, one, run, storeOf, values } from '../kernel/database/statements.ts'
import { SET_HEARD } from '../song/fact-columns.ts'
import type { FactValues, HeardFact } from '../song/facts.ts'

export interface HearingRow {
  trackId: string
  /** SHA-256 of the network's file. */
  network: string
  /** Patches from one that was heard to the next; 0 where none could be heard. */
  every: number
  /** Why it could not be heard. */
  error: string | null
  /** As `sounds/timeline.ts` packs them. */
  moments: Uint8Array
  /** JSON: names and confidences of instruments. */
  instruments: string
}

export class HearingStore extends storeOf({
  of: one<[trackId: string], HearingRow>(
    `SELECT track_id AS trackId, network, every, error, moments, instruments
     FROM track_hearings WHERE track_id = ?`,
  ),
  // Nothing when the track was removed meanwhile.
  put: run<HearingRow>(
    `INSERT OR REPLACE INTO track_hearings (track_id, network, every, error, moments, instruments)
     SELECT @trackId, @network, @every, @error, @moments, @instruments
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
  ),
  /** What was heard before stays. */
  putError: run<Pick<HearingRow, 'trackId' | 'network' | 'error'>>(
    `INSERT INTO track_hearings (track_id, network, every, error, moments, instruments)
     SELECT @trackId, @network, 0, @error, x'', '[]'
     WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)
     ON CONFLICT (track_id) DO UPDATE SET error = excluded.error`,
  ),
  clearError: run<[trackId: string]>(
    'UPDATE track_hearings SET error = NULL WHERE track_id = ? AND error IS NOT NULL',
  ),
  setFacts: run<FactValues<HeardFact> & { trackId: string }>(
    `UPDATE analyses SET ${SET_HEARD} WHERE track_id = @trackId`,
  ),
  /** @param every - the most patches from one that was heard to the next */
  isHeard: exists<{ trackId: string; network: string; every: number }>(
    `SELECT 1 FROM track_hearings
     WHERE track_id = @trackId AND network = @network AND every BETWEEN 1 AND @every`,
  ),
  /** Analysed tracks that a network did not hear yet, in the order of their ids. */
  unheard: values<{ network: string; after: string; results: number }, string>(
    `SELECT t.id FROM tracks t JOIN analyses a ON a.track_id = t.id
     LEFT JOIN track_hearings h ON h.track_id = t.id
     WHERE t.id > @after AND t.md5 IS NOT NULL AND t.status <> 'pending'
       AND (h.track_id IS NULL OR h.network <> @network OR h.every = 0)
     ORDER BY t.id LIMIT @results`,
  ),
}) {}

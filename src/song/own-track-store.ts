import { all, storeOf } from '../kernel/database/statements.ts'
import type { StoredStatus } from './track-status.ts'

/** What songs answer of their tracks. */
interface OwnTrackRow {
  id: string
  status: StoredStatus
  title: string | null
  artist: string | null
  analyzerVersion: string | null
}

/** The tracks of songs. */
export class OwnTrackStore extends storeOf({
  ofSong: all<[songId: string], OwnTrackRow>(
    `SELECT t.id, t.status, t.title, t.artist, a.analyzer_version AS analyzerVersion
     FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id
     WHERE t.song_id = ? ORDER BY t.created_at, t.id`,
  ),
}) {}

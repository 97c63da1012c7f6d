import { all, one, run, storeOf } from '../kernel/database/statements.ts'
import { timestamp } from '../values/text.ts'

/** A file that holds the bytes of a track. */
export interface TrackFile {
  /** The absolute path. */
  path: string
  /** Bytes. Unknown for files that only an import named, until they are scanned. */
  size?: number
  /** When the file was changed, `YYYY-MM-DDThh:mm:ss` in UTC. Unknown when `size` is unknown. */
  modified?: string
  /** False when a scan found that the file is gone. */
  present: boolean
}

export interface FileRow {
  path: string
  trackId: string
  /** When the file last had its track's content; with `modified` it shows later changes. */
  size: number | null
  /** Since 1970, with fractions. */
  modified: number | null
  present: 0 | 1
}

/** Whether its track waits for its first analysis, or had none that succeeded. */
export type KnownFile = FileRow & { unanalysed: 0 | 1 }

const SELECT_FILE = 'SELECT path, track_id AS trackId, size, modified, present FROM track_files'

/** Which files hold the bytes of which tracks. */
export class FileStore extends storeOf({
  byPath: one<[path: string], FileRow>(`${SELECT_FILE} WHERE path = ?`),
  /** Present ones first. */
  ofTrack: all<[trackId: string], FileRow>(
    `${SELECT_FILE} WHERE track_id = ? ORDER BY present DESC, path`,
  ),
  /** Whose paths lie between two strings, ordered by path. */
  between: all<{ after: string; before: string; results: number }, KnownFile>(
    `SELECT f.path, f.track_id AS trackId, f.size, f.modified, f.present,
       t.status IN ('pending', 'error') AND NOT EXISTS (
         SELECT 1 FROM analyses a WHERE a.track_id = t.id) AS unanalysed
     FROM track_files f JOIN tracks t ON t.id = f.track_id
     WHERE f.path > @after AND f.path < @before ORDER BY f.path LIMIT @results`,
  ),
  /** And that it is present. */
  put: run<Omit<FileRow, 'present'>>(
    `INSERT INTO track_files (path, track_id, size, modified)
     VALUES (@path, @trackId, @size, @modified)
     ON CONFLICT (path) DO UPDATE SET track_id = excluded.track_id, size = excluded.size,
       modified = excluded.modified, present = 1`,
  ),
  setPresent: run<{ path: string; present: 0 | 1 }>(
    'UPDATE track_files SET present = @present WHERE path = @path',
  ),
  remove: run<[path: string]>('DELETE FROM track_files WHERE path = ?'),
}) {}

export function trackFileOf({ path, size, modified, present }: FileRow): TrackFile {
  const file: TrackFile = { path, present: present === 1 }
  if (size !== null) file.size = size
  if (modified !== null) file.modified = timestamp(modified)
  return file
}

/**
 * The files of tracks in a table of their own: the same bytes may lie at several paths. Size and time
 * of change of paths from before are unknown; the next scan finds them out.
 */
export const trackFiles = {
  version: 13,
  name: 'track files',
  sql: `
CREATE TABLE track_files (
  path TEXT PRIMARY KEY,
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  -- Bytes, and milliseconds since 1970, when the bytes were those of the track.
  size INTEGER,
  modified REAL,
  present INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
CREATE INDEX track_files_track ON track_files (track_id);

-- Of several tracks with one path, the last one has the bytes that are there now.
INSERT OR REPLACE INTO track_files (path, track_id)
  SELECT path, id FROM tracks WHERE path IS NOT NULL ORDER BY created_at, id;
ALTER TABLE tracks DROP COLUMN path;

-- By the sound, a file is known again that was renamed and retagged at once.
CREATE INDEX tracks_sound ON tracks (audio_md5) WHERE audio_md5 IS NOT NULL;
`,
} as const

/** Keys, engines, jobs and tracks. */
export const house = {
  version: 1,
  name: 'house',
  sql: `
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  commercial INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

-- One row per open engine, so that another one can tell its jobs from those of a dead one.
CREATE TABLE engines (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  process_started INTEGER NOT NULL,
  host TEXT NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  claimed_by TEXT,
  claimed_at INTEGER,
  failed_at INTEGER,
  error TEXT
) STRICT;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, subject) WHERE failed_at IS NULL;
CREATE INDEX jobs_ready ON jobs (kind, priority DESC, run_at, id)
  WHERE claimed_by IS NULL AND failed_at IS NULL;
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;

CREATE TABLE tracks (
  id TEXT PRIMARY KEY,
  md5 TEXT UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('unknown', 'pending', 'complete', 'error')),
  error TEXT,
  path TEXT,
  spooled INTEGER NOT NULL DEFAULT 0,
  url TEXT,
  title TEXT,
  artist TEXT,
  release TEXT,
  bitrate INTEGER,
  samplerate INTEGER,
  audio_md5 TEXT,
  tags TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tracks_created ON tracks (created_at, id);

CREATE TABLE track_foreign_ids (
  track_id TEXT NOT NULL REFERENCES tracks (id) ON DELETE CASCADE,
  catalog TEXT NOT NULL,
  type TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  PRIMARY KEY (track_id, catalog, type, foreign_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX track_foreign_ids_lookup ON track_foreign_ids (catalog, type, foreign_id);

CREATE TABLE analyses (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  analyzer_version TEXT NOT NULL,
  analyzed_at INTEGER NOT NULL,
  duration REAL NOT NULL,
  tempo REAL NOT NULL,
  "key" INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  time_signature INTEGER NOT NULL,
  loudness REAL NOT NULL,
  energy REAL,
  danceability REAL,
  speechiness REAL,
  document BLOB NOT NULL
) STRICT;
`,
} as const

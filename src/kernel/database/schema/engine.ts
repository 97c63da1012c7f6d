/** Keys, open engines and jobs. */
export const ENGINE_SCHEMA = `
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
  error TEXT,
  -- Attempts that failed for what will pass, which do not count against the job.
  waits INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX jobs_once ON jobs (kind, subject) WHERE failed_at IS NULL;
CREATE INDEX jobs_ready ON jobs (kind, priority DESC, run_at, id)
  WHERE claimed_by IS NULL AND failed_at IS NULL;
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (kind, subject) WHERE failed_at IS NOT NULL;
`

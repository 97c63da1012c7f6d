/** How tracks sound, in numbers by which they are compared. */
export const similarity = {
  version: 4,
  name: 'similarity',
  sql: `
-- A row that is written anew has a new, higher id: so the count and the highest id tell whether
-- anything has changed.
CREATE TABLE track_sounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  track_id TEXT NOT NULL UNIQUE REFERENCES tracks (id) ON DELETE CASCADE,
  -- Of another version, they are not comparable.
  version TEXT NOT NULL,
  -- 32-bit floats; see analysis/descriptor.ts.
  descriptor BLOB NOT NULL,
  -- 16-bit integers; see fingerprint/sketch.ts.
  sketch BLOB NOT NULL
) STRICT;
CREATE INDEX track_sounds_version ON track_sounds (version);
`,
} as const

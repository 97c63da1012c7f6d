/** What users put right in the analyses of tracks. A column without a value corrects nothing. */
export const corrections = {
  version: 12,
  name: 'corrections',
  sql: `
CREATE TABLE track_corrections (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  tempo REAL,
  downbeat REAL,
  "key" INTEGER,
  mode INTEGER,
  time_signature INTEGER,
  tempo_low REAL,
  tempo_high REAL
) STRICT;
`,
} as const

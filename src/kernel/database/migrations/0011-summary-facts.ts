/**
 * Confidences, steadiness and the first downbeat in the summary. Documents get a table of their own:
 * SQLite reads a column behind a document of 100 kB by way of all its pages.
 */
export const summaryFacts = {
  version: 11,
  name: 'summary facts',
  sql: `
CREATE TABLE analyses_11 (
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
  tempo_confidence REAL,
  key_confidence REAL,
  mode_confidence REAL,
  time_signature_confidence REAL,
  beats_steady INTEGER,
  first_downbeat REAL
) STRICT;
INSERT INTO analyses_11 SELECT track_id, analyzer_version, analyzed_at, duration, tempo, "key", mode,
  time_signature, loudness, energy, danceability, speechiness, NULL, NULL, NULL, NULL, NULL, NULL
FROM analyses;
-- The analysis document, as raw deflate of its text.
CREATE TABLE analysis_documents (
  track_id TEXT PRIMARY KEY REFERENCES tracks (id) ON DELETE CASCADE,
  document BLOB NOT NULL
) STRICT;
INSERT INTO analysis_documents SELECT track_id, document FROM analyses;
DROP TABLE analyses;
ALTER TABLE analyses_11 RENAME TO analyses;
-- Analyses whose summary older versions made: a job adds what their documents say.
CREATE INDEX analyses_unsummarized ON analyses (track_id) WHERE tempo_confidence IS NULL;
`,
} as const

/**
 * Which version of the definitions made a summary, in place of a flag that only migrations set; and
 * searches by time signature, instrumentalness and liveness.
 */
export const summaryVersions = {
  version: 17,
  name: 'summary-versions',
  sql: `
-- NULL where there is no document to make the summary of.
ALTER TABLE analyses ADD COLUMN summary_version INTEGER;
UPDATE analyses SET summary_version = 1 - outdated
WHERE track_id IN (SELECT track_id FROM analysis_documents);
DROP INDEX analyses_outdated;
ALTER TABLE analyses DROP COLUMN outdated;
CREATE INDEX analyses_summary_version ON analyses (summary_version);
-- Blocks of the old size cannot be read. Both are built again.
DELETE FROM song_columns;
DELETE FROM track_columns;
INSERT OR IGNORE INTO track_changes SELECT id FROM tracks;
`,
} as const

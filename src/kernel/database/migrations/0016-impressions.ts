/** Speechiness, acousticness and valence of one's own tracks, from the documents that are stored. */
export const impressions = {
  version: 16,
  name: 'impressions',
  sql: `
ALTER TABLE analyses ADD COLUMN acousticness REAL;
ALTER TABLE analyses ADD COLUMN valence REAL;
-- 1: an older version made the summary; a job makes it anew from the document.
ALTER TABLE analyses ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;
UPDATE analyses SET outdated = 1 WHERE track_id IN (SELECT track_id FROM analysis_documents);
-- 1: others published the impressions, and they are kept where the document gives others.
ALTER TABLE analyses ADD COLUMN published INTEGER NOT NULL DEFAULT 0;
UPDATE analyses SET published = 1 WHERE imported = 1 AND energy IS NOT NULL;
DROP INDEX analyses_unsummarized;
CREATE INDEX analyses_outdated ON analyses (track_id) WHERE outdated = 1;
-- Blocks of the old size cannot be read. Both are built again.
DELETE FROM song_columns;
DELETE FROM track_columns;
INSERT OR IGNORE INTO track_changes SELECT id FROM tracks;
`,
} as const

/** The date by which documents are sorted: when they were posted, as far as that can be. */
export const documentDates = {
  version: 8,
  name: 'document dates',
  sql: `
-- When it was posted; when it was found where that is not known, no date as others are, or would be later.
ALTER TABLE artist_documents ADD COLUMN date TEXT GENERATED ALWAYS AS (
  CASE WHEN date_posted GLOB '[0-9][0-9][0-9][0-9]*' AND date_posted <= coalesce(date_found, date_posted)
    THEN date_posted ELSE date_found END
) VIRTUAL;
DROP INDEX artist_documents_newest;
CREATE INDEX artist_documents_newest ON artist_documents
  (date DESC, id, kind, artist, num, relevance);
`,
} as const

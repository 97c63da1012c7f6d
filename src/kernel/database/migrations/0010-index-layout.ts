/**
 * How the index of fingerprints is laid out, chosen when a database is made. Older ones keep theirs:
 * what they hold of the codes of system A are 20 bits of a hash, unless they hold no recording yet.
 */
export const indexLayout = {
  version: 10,
  name: 'index layout',
  sql: `
ALTER TABLE index_state ADD COLUMN slot_bits INTEGER NOT NULL DEFAULT 20;
ALTER TABLE index_state ADD COLUMN segment_bits INTEGER NOT NULL DEFAULT 13;
ALTER TABLE index_state ADD COLUMN exact INTEGER NOT NULL DEFAULT 0;
-- Of a database that others are merged into: the steps that are done.
ALTER TABLE index_state ADD COLUMN merge_step INTEGER;
UPDATE index_state SET exact = 1 WHERE NOT EXISTS (SELECT 1 FROM postings)
  AND NOT EXISTS (SELECT 1 FROM recording_codes);
`,
} as const

/** Attempts of a job that failed for what will pass, which do not count against it. */
export const jobWaits = {
  version: 9,
  name: 'job waits',
  sql: `
ALTER TABLE jobs ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
`,
} as const

/** The failed job of a subject, which every new job asks for: without it each one read all that wait. */
export const failedJobs = {
  version: 18,
  name: 'failed-jobs',
  sql: `
CREATE INDEX jobs_failed ON jobs (kind, subject) WHERE failed_at IS NOT NULL;
`,
} as const

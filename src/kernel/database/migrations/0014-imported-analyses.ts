/** Analyses that came as documents, without audio: another version of the analyser cannot replace them. */
export const importedAnalyses = {
  version: 14,
  name: 'imported analyses',
  sql: `
ALTER TABLE analyses ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
`,
} as const

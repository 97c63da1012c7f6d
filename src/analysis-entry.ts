export { analyze } from './analysis/analyze.ts'
export type {
  AnalysisDocument,
  AnalysisSummary,
  Interval,
  Section,
  Segment,
} from './analysis/document.ts'
export { stringifyAnalysis } from './analysis/document.ts'
export { ANALYZER_VERSION } from './analysis/version.ts'

/**
 * The analysis alone, without a database: samples in, the document out.
 *
 * @module audile/analysis
 */

export type {
  AnalysisDocument,
  AnalysisSummary,
  Interval,
  Section,
  Segment,
} from './analysis/document.ts'
export { stringifyAnalysis } from './analysis/document.ts'
export { ANALYZER_VERSION } from './analysis/version.ts'
export { analyze } from './workers/examine.ts'

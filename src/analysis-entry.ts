/**
 * The analysis alone, without a database: samples in, the document out. It runs in browsers and
 * workers too.
 *
 * @module audile/analysis
 */

export type {
  AnalysisCodes,
  AnalysisDocument,
  AnalysisSummary,
  AnalysisTrack,
  Interval,
  Section,
  Segment,
} from './analysis/document.ts'
export { stringifyAnalysis } from './analysis/document.ts'
export { ANALYZER_VERSION } from './analysis/version.ts'
export type { AnalyzeInput, AnalyzerOptions } from './analyzer.ts'
export { Analyzer, analyze } from './analyzer.ts'

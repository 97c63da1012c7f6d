/**
 * The analysis alone, without a database: samples in, the document out. It runs in browsers and
 * workers too. JavaScript engines round `Math.exp`, `Math.sin` and the like differently in the last
 * bit, so the numbers of a document may differ between them in the sixteenth digit; the text that
 * stringifyAnalysis writes is the same.
 *
 * @module audile/analysis
 */

export { correct } from './analysis/correction/correct.ts'
export type { Corrections, PartCorrection } from './analysis/correction/corrections.ts'
export type { GridAnchor } from './analysis/correction/grid-anchors.ts'
export type { Cue, Cues, Phrase } from './analysis/cues/cues.ts'
export { cues } from './analysis/cues/cues.ts'
export type { VoiceStretch } from './analysis/cues/voices.ts'
export type {
  AnalysisCodes,
  AnalysisDocument,
  AnalysisTrack,
  Interval,
  Section,
  Segment,
  TrackLevels,
} from './analysis/document.ts'
export { ANALYZER_VERSION, stringifyAnalysis } from './analysis/document.ts'
export type { AnalysisSummary, Summarized } from './analysis/document-summary.ts'
export { SUMMARY_VERSION, summarize } from './analysis/document-summary.ts'
export type { KeyRelation } from './analysis/key-relation.ts'
export type { GainReference } from './analysis/loudness-measures.ts'
export { gainOf } from './analysis/loudness-measures.ts'
export type { DerivedMood } from './analysis/summary/moods.ts'
export { moodsOf } from './analysis/summary/moods.ts'
export type { Meeting, Transition, TransitionReason, Voices } from './analysis/transition.ts'
export { transition } from './analysis/transition.ts'
export type { Waveform, WaveformBand, WaveformPixels } from './analysis/waveform.ts'
export { toAudiowaveformDat, toAudiowaveformJson } from './analysis/waveform.ts'
export type { AnalyzeInput, AnalyzerOptions } from './analyzer/analyzer.ts'
export { Analyzer, analyze } from './analyzer/analyzer.ts'
export type { HeardSounds, HearInput } from './analyzer/hear-sounds.ts'
export { hearSounds } from './analyzer/hear-sounds.ts'
export { openSoundNetwork } from './sounds/sound-model.ts'
export type { SoundNetwork } from './sounds/sound-network.ts'
export type { SoundStretch, Timeline } from './sounds/timeline.ts'
export type { HeardSummary, Instrument } from './sounds/whole.ts'
export type { KeyText, MusicKey } from './values/music-key.ts'
export { camelot, compatibleKeys, keyName, openKey, parseKey } from './values/music-key.ts'

import type { Analyzed } from '../song/facts.ts'
import type { AnalysisDocument } from './document.ts'
import type { Interval } from './intervals.ts'

/** What the document of an analysis says of the track as a whole. */
export interface DocumentSummary {
  /** Seconds. */
  duration: number
  /** LUFS. */
  loudness: number
  /** Beats per minute; 0 when there is no beat. */
  tempo: number
  /** How sure the tempo is, 0…1. */
  tempoConfidence: number
  /** Pitch class, 0 = C … 11 = B. */
  key: number
  /** How sure the key is, 0…1. */
  keyConfidence: number
  /** 0 minor, 1 major. */
  mode: number
  /** How sure the mode is, 0…1. */
  modeConfidence: number
  /** Beats per bar. */
  timeSignature: number
  /** How sure the time signature is, 0…1. */
  timeSignatureConfidence: number
  /** Whether one tempo is enough for a grid of all beats; `null` with few beats. */
  beatsSteady: boolean | null
  /** Where the first bar begins, seconds; `null` without bars. */
  firstDownbeat: number | null
}

/** What a catalogue keeps of an analysis. */
export interface AnalysisSummary extends DocumentSummary, Omit<Analyzed, keyof DocumentSummary> {}

/** The fields of a {@link DocumentSummary}. */
export const SUMMARY_FIELDS: readonly (keyof DocumentSummary)[] = [
  'duration',
  'loudness',
  'tempo',
  'tempoConfidence',
  'key',
  'keyConfidence',
  'mode',
  'modeConfidence',
  'timeSignature',
  'timeSignatureConfidence',
  'beatsSteady',
  'firstDownbeat',
]

/** The parts of a document that its summary is made of. */
export type Summarized = Pick<AnalysisDocument<boolean>, 'bars' | 'beats'> & {
  track: Omit<AnalysisDocument<false>['track'], 'synchstring' | 'rhythmstring'>
}

/** The summary of a document, also of one of the old service. */
export function summaryOfDocument({ track, bars, beats }: Summarized): DocumentSummary {
  return {
    duration: track.duration,
    loudness: track.loudness,
    tempo: track.tempo,
    // A document of another maker may lack it. Without a number, it would count as an older version's.
    tempoConfidence: track.tempo_confidence ?? 0,
    // Where no key was found, others write -1.
    key: Math.max(track.key, 0),
    keyConfidence: track.key_confidence,
    mode: Math.max(track.mode, 0),
    modeConfidence: track.mode_confidence,
    timeSignature: track.time_signature,
    timeSignatureConfidence: track.time_signature_confidence,
    beatsSteady: isSteady(beats),
    firstDownbeat: bars[0]?.start ?? null,
  }
}

const STEADY = Object.freeze({
  /** With fewer beats every tempo looks steady. */
  fewestBeats: 16,
  /** This share of the beats must lie on the grid. */
  share: 0.95,
  /** Seconds: half of the 70 ms within which evaluations of beat trackers (MIREX) take a beat as found. */
  tolerance: 0.035,
})

/** Whether a grid of one tempo, by least squares, meets nearly all beats. */
function isSteady(beats: readonly Interval[]): boolean | null {
  const n = beats.length
  if (n < STEADY.fewestBeats) return null
  const middle = (n - 1) / 2
  let mean = 0
  for (const { start } of beats) mean += start / n
  let slope = 0
  let squares = 0
  for (let i = 0; i < n; i++) {
    slope += (i - middle) * (beats[i]!.start - mean)
    squares += (i - middle) ** 2
  }
  const period = slope / squares
  let met = 0
  for (let i = 0; i < n; i++) {
    const grid = mean + (i - middle) * period
    if (Math.abs(beats[i]!.start - grid) <= STEADY.tolerance) met++
  }
  return met >= STEADY.share * n
}

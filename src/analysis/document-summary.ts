import { invalidParameter } from '../errors.ts'
import type { Analyzed } from '../song/facts.ts'
import type { AnalysisDocument } from './document.ts'
import type { Interval } from './intervals.ts'
import { impressionsOf } from './summary/impressions.ts'
import { evenGrid } from './summary/measures.ts'

/**
 * The version of what {@link summarize} says. It rises with any change of a value. Keep it beside values
 * that you store: those of another version are not comparable.
 */
export const SUMMARY_VERSION: number = 3

/** What is known of a track as a whole. Confidences and values without a unit are 0…1. */
export interface AnalysisSummary extends Omit<Analyzed, 'audioMd5'> {
  /** MD5 of the mono samples at 22,050 Hz, 16 bit; `null` where a document does not state it. */
  audioMd5: string | null
}

/** The parts of a document that its summary is made of. */
export type Summarized = Pick<AnalysisDocument, 'bars' | 'beats' | 'segments'> & {
  /** The track as a whole. */
  track: Omit<AnalysisDocument<false>['track'], 'synchstring' | 'rhythmstring'>
}

/**
 * The summary of an analysis: what the document states of the track, and the values that are derived
 * from it. It takes documents of audile's, of the old service and of Spotify's audio-analysis, and is
 * pure.
 *
 * What a document cannot tell is `null`: values that are derived from sound where nothing sounds, the
 * first downbeat without bars.
 *
 * @param document - an analysis document; strings and tatums are not needed
 * @throws {ParameterError} when a part of it that is needed is missing
 *
 * @example
 * ```ts
 * import { analyze, summarize } from 'audile/analysis'
 *
 * const { energy, valence, speechiness } = summarize(analyze({ samples: [left, right], sampleRate: 44100 }))
 * ```
 */
export function summarize(document: Summarized): AnalysisSummary {
  requireParts(document)
  const { track, bars, beats, segments } = document
  const sum: unknown = track.sample_md5
  return {
    duration: track.duration,
    loudness: track.loudness,
    tempo: track.tempo,
    // A document of another maker may lack it.
    tempoConfidence: track.tempo_confidence ?? 0,
    // Where no key was found, others write -1.
    key: Math.max(track.key, 0),
    keyConfidence: track.key_confidence,
    mode: Math.max(track.mode, 0),
    modeConfidence: track.mode_confidence,
    // A document writes a metre for what has no beats, too.
    timeSignature: track.tempo > 0 ? track.time_signature : 0,
    timeSignatureConfidence: track.time_signature_confidence,
    beatsSteady: isSteady(beats),
    firstDownbeat: bars[0]?.start ?? null,
    ...impressionsOf({ track, beats, segments }),
    // Spotify's documents have an empty one.
    audioMd5: typeof sum === 'string' && MD5.test(sum) ? sum.toLowerCase() : null,
  }
}

/** A document may be any JSON. */
function requireParts(document: Partial<Summarized> | null | undefined): void {
  const { track, bars, beats, segments } = document ?? {}
  const parts = { bars, beats, segments }
  const missing = Object.entries(parts).find(([, part]) => !Array.isArray(part))?.[0]
  if (track !== null && typeof track === 'object' && missing === undefined) return
  throw invalidParameter(
    'document',
    `has no ${missing ?? 'track'}; an analysis document has track, bars, beats and segments.`,
  )
}

const MD5 = /^[0-9a-f]{32}$/i

const STEADY = Object.freeze({
  /** With fewer beats every tempo looks steady. */
  fewestBeats: 16,
  /** This share of the beats must lie on the grid. */
  share: 0.95,
  /** Seconds: half of the 70 ms within which evaluations of beat trackers (MIREX) take a beat as found. */
  tolerance: 0.035,
})

/** Whether a grid of one tempo meets nearly all beats. */
function isSteady(beats: readonly Interval[]): boolean | null {
  if (beats.length < STEADY.fewestBeats) return null
  const { misses } = evenGrid(beats.map(({ start }) => start))
  const met = misses.filter((miss) => Math.abs(miss) <= STEADY.tolerance).length
  return met >= STEADY.share * beats.length
}

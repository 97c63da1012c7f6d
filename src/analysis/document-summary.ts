import type { Analyzed } from '../song/facts.ts'
import { invalidParameter } from '../values/errors.ts'
import type { AnalysisDocument, TrackLevels } from './document.ts'
import { FEWEST_EVEN } from './even-grid.ts'
import { evenStretchesIn } from './even-stretches.ts'
import type { Interval } from './intervals.ts'
import { gainOf, LOUDNESS } from './loudness-measures.ts'
import { impressionsOf } from './summary/impressions.ts'

/**
 * The version of the values of {@link summarize}. It rises when any value changes. Store it beside
 * the values: those of another version are not comparable.
 */
export const SUMMARY_VERSION: number = 7

/** The properties of a track as a whole. Confidences and values without a unit are 0…1. */
export interface AnalysisSummary extends Omit<Analyzed, 'audioMd5'> {
  /** MD5 of the mono samples at 22,050 Hz, 16 bit; `null` where a document does not state it. */
  audioMd5: string | null
}

/** The parts of a document that its summary is made of. */
export type Summarized = Pick<AnalysisDocument, 'bars' | 'beats' | 'segments'> & {
  /** The track as a whole; documents of others lack its levels. */
  track: Omit<
    AnalysisDocument<false>['track'],
    keyof TrackLevels | 'synchstring' | 'rhythmstring'
  > &
    Partial<TrackLevels>
}

/**
 * The summary of an analysis: what the document states about the track, and values derived from it.
 * It accepts documents of audile, of the old service and of Spotify's audio-analysis. It is pure.
 *
 * A value that the document cannot give is `null`. Values derived from sound need sound, the first
 * downbeat needs bars, and loudness and what depends on it need 400 ms of sound.
 *
 * @param document - an analysis document; strings and tatums are not needed
 * @throws {ParameterError} when a required part is missing
 *
 * @example
 * ```ts
 * import { analyze, summarize } from 'audile/analysis'
 *
 * const { energy, valence, speechiness } = summarize(analyze({ samples: [left, right], sampleRate: 44100 }))
 * ```
 */
export function summarize(document: Summarized): AnalysisSummary {
  requireDocumentParts(document)
  const { track, bars, beats, segments } = document
  const checksum: unknown = track.sample_md5
  return {
    duration: track.duration,
    // Tests and documents of others may leave it out.
    loudness: track.loudness ?? null,
    ...summaryLevels(track),
    tempo: track.tempo,
    // Documents of other analysers may lack it.
    tempoConfidence: track.tempo_confidence ?? 0,
    // Other analysers write -1 if they find no key.
    key: Math.max(track.key, 0),
    keyConfidence: track.key_confidence,
    mode: Math.max(track.mode, 0),
    modeConfidence: track.mode_confidence,
    // Documents state a metre even if there are no beats.
    timeSignature: track.tempo > 0 ? track.time_signature : 0,
    timeSignatureConfidence: track.time_signature_confidence,
    beatsSteady: isSteady(beats),
    firstDownbeat: bars[0]?.start ?? null,
    ...impressionsOf({ track, beats, segments }),
    // Spotify's documents have an empty one.
    audioMd5: typeof checksum === 'string' && MD5.test(checksum) ? checksum.toLowerCase() : null,
  }
}

/** Without them, the loudness is not LUFS either, and there is no gain. */
function summaryLevels(track: Summarized['track']) {
  const { loudness, true_peak: truePeak = null } = track
  return {
    loudnessRange: track.loudness_range ?? null,
    maxMomentaryLoudness: track.max_momentary_loudness ?? null,
    maxShortTermLoudness: track.max_short_term_loudness ?? null,
    truePeak,
    trackGain:
      truePeak === null || loudness === null || loudness <= LOUDNESS.floor
        ? null
        : gainOf(loudness),
  }
}

/** A document may be any JSON. */
function requireDocumentParts(document: Partial<Summarized> | null | undefined): void {
  const { track, bars, beats, segments } = document ?? {}
  const parts = { bars, beats, segments }
  const missing = Object.entries(parts).find(([, list]) => !Array.isArray(list))?.[0]
  if (track !== null && typeof track === 'object' && missing === undefined) return
  throw invalidParameter(
    'document',
    `has no ${missing ?? 'track'}; an analysis document has track, bars, beats and segments.`,
  )
}

const MD5 = /^[0-9a-f]{32}$/i

/** `null` for too few beats to tell. */
function isSteady(beats: readonly Interval[]): boolean | null {
  if (beats.length < FEWEST_EVEN) return null
  const [firstStretch, secondStretch] = evenStretchesIn(beats)
  return (
    firstStretch !== undefined &&
    secondStretch === undefined &&
    firstStretch.to - firstStretch.from === beats.length
  )
}

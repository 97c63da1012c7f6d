import type { AnalysisDocument, Section } from '../document.ts'
import { type Corrections, requireCorrections, requireFitting } from './corrections.ts'
import { withLaidGrid } from './laid-grid.ts'
import { type PartCorrection, partCorrectionOf, requireFittingPart, withPart } from './part.ts'
import { withPausesOf } from './pauses.ts'
import { withRhythm } from './rhythm.ts'

/**
 * Corrects a document, using its own segments, tatums and beats. Beats that are right stay; others
 * are found between them, by onsets. Tatums divide the beats, bars group them, and sections begin
 * with bars. Corrected values have confidence 1 in `track`; all else is unchanged. With `from` or
 * `to`, only the beats between them change; a bar at either end may then be shorter or longer.
 *
 * @param document - an analysis by any version of audile, or by the old service
 * @throws {ParameterError} when a value is out of range, or the document has no tempo to double or halve
 *
 * @example
 * ```ts
 * import { analyze, correct } from 'audile/analysis'
 *
 * const heard = analyze({ samples: [left, right], sampleRate: 44100 })
 * const { beats, bars } = correct(heard, { tempo: 'double', downbeat: 0.52 })
 * const turned = correct(heard, { from: 95.2, downbeat: 95.2 })
 * ```
 */
export function correct<D extends AnalysisDocument>(document: D, corrections: Corrections): D {
  requireCorrections(corrections)
  const { parts = [] } = corrections
  const ownCorrection = partCorrectionOf(corrections)
  const wholeCorrections = ownCorrection ? {} : corrections
  requireFitting(document, wholeCorrections)
  return applyPartCorrections(applyCorrections(document, { ...wholeCorrections, parts: null }), [
    ...(parts ?? []),
    ...(ownCorrection ? [ownCorrection] : []),
  ])
}

/** {@link correct} for corrections that were accepted before; ignores a downbeat after the end. */
export function applyCorrections<D extends AnalysisDocument>(
  document: D,
  corrections: Corrections,
): D {
  const { grid, timeSignature } = corrections
  const rhythmDocument = grid
    ? withLaidGrid(document, grid, timeSignature)
    : withRhythm(document, corrections)
  const correctedWhole = withKey(rhythmDocument, corrections)
  return withPausesOf(document, (corrections.parts ?? []).reduce<D>(withPart, correctedWhole))
}

/** Each is applied to the document that the one before has made. */
function applyPartCorrections<D extends AnalysisDocument>(
  document: D,
  parts: readonly PartCorrection[],
): D {
  const correctedDocument = parts.reduce((current, correction) => {
    requireFittingPart(current, correction)
    return withPart(current, correction)
  }, document)
  return withPausesOf(document, correctedDocument)
}

/** Corrects the track's key, and the sections' that was the same. */
function withKey<D extends AnalysisDocument>(document: D, { key, mode }: Corrections): D {
  if (key == null && mode == null) return document
  const correctedKey = {
    ...(key != null && { key, key_confidence: 1 }),
    ...(mode != null && { mode, mode_confidence: 1 }),
  }
  const { track } = document
  const isSame = (section: Section) => section.key === track.key && section.mode === track.mode
  return {
    ...document,
    track: { ...track, ...correctedKey },
    sections: document.sections.map((section) =>
      isSame(section) ? { ...section, ...correctedKey } : section,
    ),
  }
}

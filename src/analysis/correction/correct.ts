import type { AnalysisDocument, Section } from '../document.ts'
import { type Corrections, requireCorrections, requireFitting } from './corrections.ts'
import { laidOn } from './laid-grid.ts'
import { type PartCorrection, partOf, requireFittingPart, withPart } from './part.ts'
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
  const part = partOf(corrections)
  const whole = part ? {} : corrections
  requireFitting(document, whole)
  return correctedParts(corrected(document, { ...whole, parts: null }), [
    ...(parts ?? []),
    ...(part ? [part] : []),
  ])
}

/** {@link correct} for corrections that were accepted before; ignores a downbeat after the end. */
export function corrected<D extends AnalysisDocument>(document: D, corrections: Corrections): D {
  const { grid, timeSignature } = corrections
  const inRhythm = grid ? laidOn(document, grid, timeSignature) : withRhythm(document, corrections)
  const whole = withKey(inRhythm, corrections)
  return withPausesOf(document, (corrections.parts ?? []).reduce<D>(withPart, whole))
}

/** Parts in their order, each as the document is then. */
function correctedParts<D extends AnalysisDocument>(
  document: D,
  parts: readonly PartCorrection[],
): D {
  const after = parts.reduce((before, part) => {
    requireFittingPart(before, part)
    return withPart(before, part)
  }, document)
  return withPausesOf(document, after)
}

/** Corrects the key of the track, and of the sections that had the same key. */
function withKey<D extends AnalysisDocument>(document: D, { key, mode }: Corrections): D {
  if (key == null && mode == null) return document
  const given = {
    ...(key != null && { key, key_confidence: 1 }),
    ...(mode != null && { mode, mode_confidence: 1 }),
  }
  const { track } = document
  const isSame = (section: Section) => section.key === track.key && section.mode === track.mode
  return {
    ...document,
    track: { ...track, ...given },
    sections: document.sections.map((one) => (isSame(one) ? { ...one, ...given } : one)),
  }
}

import { applyCorrections } from '../analysis/correction/correct.ts'
import { requireFewParts } from '../analysis/correction/corrections.ts'
import {
  type PartCorrection,
  requireFittingPart,
  tempoOfPart,
} from '../analysis/correction/part.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import type { TrackCorrections } from './correction-store.ts'

type CorrectedPart = NonNullable<TrackCorrections['parts']>[number]

const PART_CORRECTION_FIELDS = ['tempo', 'downbeat'] as const

/**
 * What the change sets or removes is removed from the parts within it. `double` and `half` refer to
 * the tempo without corrections of parts.
 *
 * @throws {ParameterError} when the part cannot have it
 */
export function withChangedPart(
  corrections: TrackCorrections,
  change: PartCorrection,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const { parts = [], ...wholeCorrections } = corrections
  const heard = document && applyCorrections(document, wholeCorrections)
  if (heard) requireFittingPart(heard, change)
  const remainingParts = parts.map((part) =>
    isPartWithin(part, change) ? withoutChanged(part, change) : part,
  )
  const changedParts = [...remainingParts, storedPart(change, heard)].filter(hasCorrection)
  requireFewParts(changedParts)
  return changedParts.length === 0 ? wholeCorrections : { ...wholeCorrections, parts: changedParts }
}

function isPartWithin(
  part: CorrectedPart,
  { from: changeStart, to: changeEnd = Infinity }: PartCorrection,
): boolean {
  return part.from >= changeStart && (part.to ?? Infinity) <= changeEnd
}

/** Also without fields that the change gives as `null`. */
function withoutChanged(part: CorrectedPart, change: PartCorrection): CorrectedPart {
  const remaining = { ...part }
  for (const field of PART_CORRECTION_FIELDS)
    if (change[field] !== undefined) delete remaining[field]
  return remaining
}

function storedPart(change: PartCorrection, heard: AnalysisDocument | undefined): CorrectedPart {
  const { from, to, tempo, downbeat } = change
  const pace = heard && tempoOfPart(heard, change)
  const factor = tempo === 'double' ? 2 : 1 / 2
  const stored = typeof tempo === 'string' ? pace && factor * pace : tempo
  return {
    from,
    ...(to !== undefined && { to }),
    ...(stored != null && { tempo: stored }),
    ...(downbeat != null && { downbeat }),
  }
}

function hasCorrection(part: CorrectedPart): boolean {
  return PART_CORRECTION_FIELDS.some((field) => part[field] !== undefined)
}

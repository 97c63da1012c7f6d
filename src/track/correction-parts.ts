import { applyCorrections } from '../analysis/correction/correct.ts'
import { requireFewParts } from '../analysis/correction/corrections.ts'
import {
  type PartCorrection,
  requireFittingPart,
  tempoOfPart,
} from '../analysis/correction/part.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import type { TrackCorrections } from './correction-store.ts'

type Part = NonNullable<TrackCorrections['parts']>[number]

/** What may be corrected of a part. */
const FIELDS = ['tempo', 'downbeat'] as const

/**
 * The corrections of a track with one more of a part. What it sets or removes is removed from the
 * parts within it. `double` and `half` refer to the tempo that the part has without corrections of
 * parts, and are stored as a number.
 *
 * @throws {ParameterError} when the part cannot have it
 */
export function withChangedPart(
  before: TrackCorrections,
  change: PartCorrection,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const { parts = [], ...whole } = before
  const heard = document && applyCorrections(document, whole)
  if (heard) requireFittingPart(heard, change)
  const kept = parts.map((part) => (isWithin(part, change) ? without(part, change) : part))
  const all = [...kept, storedPart(change, heard)].filter(isCorrection)
  requireFewParts(all)
  return all.length === 0 ? whole : { ...whole, parts: all }
}

function isWithin(part: Part, { from, to = Infinity }: PartCorrection): boolean {
  return part.from >= from && (part.to ?? Infinity) <= to
}

/** A part without the fields that a change gives, also as `null`. */
function without(part: Part, change: PartCorrection): Part {
  const rest = { ...part }
  for (const field of FIELDS) if (change[field] !== undefined) delete rest[field]
  return rest
}

function storedPart(change: PartCorrection, heard: AnalysisDocument | undefined): Part {
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

function isCorrection(part: Part): boolean {
  return FIELDS.some((field) => part[field] !== undefined)
}

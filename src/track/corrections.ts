import { z } from 'zod'
import { applyCorrections } from '../analysis/correction/correct.ts'
import {
  type Corrections,
  requireCorrections,
  requireFitting,
} from '../analysis/correction/corrections.ts'
import { partCorrectionOf } from '../analysis/correction/part.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { type AnalysisSummary, summarize } from '../analysis/document-summary.ts'
import { method } from '../kernel/method.ts'
import { toStored } from '../song/facts.ts'
import { songChanged } from '../song/from-track.ts'
import { requireAnalysis, storedAnalysis } from './analysis.ts'
import { withChangedPart } from './correction-parts.ts'
import type { Heard, TrackCorrections } from './correction-store.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { isReadable } from './track-answer.ts'

/** `track/corrections` (ours): the corrections of a track, and its tempo hint. */
export const readCorrections = method({
  name: 'track/corrections',
  parameters: z.strictObject(trackReference),
  run({ store, corrections }: TrackRoom, reference): TrackCorrections {
    return corrections.of(findTrack(store, reference).id) ?? {}
  },
})

export interface CorrectedSummary {
  summary: AnalysisSummary
  heard: Heard
}

/** `heard` includes the effect of the hint. */
export function correctedSummary(
  document: AnalysisDocument,
  corrections: TrackCorrections,
): CorrectedSummary {
  const summary = summarize(applyCorrections(document, corrections))
  return { summary, heard: heardValues(summarize(applyCorrections(document, hintOf(corrections)))) }
}

export function heardValues(summary: AnalysisSummary): Heard {
  const { tempo, key, mode, timeSignature, firstDownbeat } = toStored(summary)
  return { tempo, key, mode, timeSignature, firstDownbeat } as Heard
}

function hintOf({ tempoRange }: TrackCorrections): TrackCorrections {
  return tempoRange ? { tempoRange } : {}
}

/**
 * `double` and `half` of what the analysis heard are stored as numbers. @param change - `null`
 * removes a correction, `undefined` keeps it
 *
 * @throws {ParameterError} `unknown_identifier`; on values that the document cannot have;
 * `not_ready` without an analysis to correct
 */
export async function changeCorrections(
  room: TrackRoom,
  id: string,
  change: Corrections,
  signal: AbortSignal,
): Promise<void> {
  const { store, analyses, corrections, song, emit } = room
  for (;;) {
    const track = findTrack(store, { id })
    if (typeof change.tempo === 'string') requireAnalysis(track)
    const bytes = analyses.document(id)
    // Before an analysis, corrections are only stored; a summary alone cannot be corrected.
    const needed = isReadable(track) && setsCorrection(change)
    const document = bytes || needed ? await storedAnalysis(bytes, id, signal) : undefined
    const storedCorrections = corrections.of(id) ?? {}
    const changedCorrections = applyChange(storedCorrections, change, document)
    const newSummary = document && correctedSummary(document, changedCorrections)
    const row = store.atomically((): TrackRow | undefined => {
      // Another call or an analysis may have made a change first.
      const isStale = JSON.stringify(corrections.of(id) ?? {}) !== JSON.stringify(storedCorrections)
      const current = findTrack(store, { id })
      const present = analyses.document(id)
      if (isStale || (bytes && present ? !bytes.equals(present) : bytes !== present))
        return undefined
      corrections.set(id, changedCorrections, newSummary?.heard)
      if (newSummary) analyses.setSummary(id, newSummary.summary)
      if (current.songId !== null) songChanged(song, current.songId)
      return current
    })
    if (!row) continue
    if (row.status !== 'pending') emit('track', { id, status: row.status, progress: 1 })
    return
  }
}

export async function hintTempo(
  room: TrackRoom,
  id: string,
  { tempoRange }: Pick<Corrections, 'tempoRange'>,
  signal: AbortSignal,
): Promise<void> {
  if (tempoRange == null) return
  requireCorrections({ tempoRange })
  await changeCorrections(room, id, { tempoRange }, signal)
}

/** A hint or a removal alone is none. */
function setsCorrection({ tempoRange: _, ...change }: Corrections): boolean {
  return Object.values(change).some((value) => value != null)
}

export function replacedBy({ grid, tempo, downbeat }: Corrections): (keyof Corrections)[] {
  if (grid != null) return ['tempo', 'downbeat', 'parts']
  return tempo != null || downbeat != null ? ['grid'] : []
}

function applyChange(
  corrections: TrackCorrections,
  change: Corrections,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const partChange = partCorrectionOf(change)
  if (partChange) return withChangedPart(corrections, partChange, document)
  const changedCorrections: Record<string, unknown> = { ...corrections }
  for (const name of replacedBy(change)) delete changedCorrections[name]
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete changedCorrections[name]
    else if (value !== undefined) changedCorrections[name] = value
  }
  if (!document) return changedCorrections
  const heard = applyCorrections(document, hintOf(changedCorrections))
  requireFitting(heard, change)
  if (change.tempo === 'double') changedCorrections.tempo = 2 * heard.track.tempo
  if (change.tempo === 'half') changedCorrections.tempo = heard.track.tempo / 2
  return changedCorrections
}

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
export const corrections = method({
  name: 'track/corrections',
  parameters: z.strictObject(trackReference),
  run({ store, corrections }: TrackRoom, given): TrackCorrections {
    return corrections.of(findTrack(store, given).id) ?? {}
  },
})

/** The summary of a document with corrections, and its values without them. */
export interface CorrectedSummary {
  summary: AnalysisSummary
  heard: Heard
}

/** Summarises a document with corrections. `heard` includes the effect of the hint. */
export function correctedSummary(
  document: AnalysisDocument,
  given: TrackCorrections,
): CorrectedSummary {
  const summary = summarize(applyCorrections(document, given))
  return { summary, heard: heardOf(summarize(applyCorrections(document, hintOf(given)))) }
}

export function heardOf(summary: AnalysisSummary): Heard {
  const { tempo, key, mode, timeSignature, firstDownbeat } = toStored(summary)
  return { tempo, key, mode, timeSignature, firstDownbeat } as Heard
}

function hintOf({ tempoRange }: TrackCorrections): TrackCorrections {
  return tempoRange ? { tempoRange } : {}
}

/**
 * Changes the corrections of a track, and updates its summary. `double` and `half` refer to the
 * tempo that the analysis heard. They are stored as a number, which stays the same when another
 * analysis hears another tempo.
 *
 * @param change - `null` removes a correction, `undefined` keeps it
 * @throws {ParameterError} `unknown_identifier`; on values that the document cannot have;
 * `not_ready` for `double` and `half` without an analysis, and for an imported summary
 */
export async function changeCorrections(
  room: TrackRoom,
  id: string,
  change: Corrections,
  signal: AbortSignal,
): Promise<void> {
  const { store, analyses, corrections, song, emit } = room
  for (;;) {
    const known = findTrack(store, { id })
    if (typeof change.tempo === 'string') requireAnalysis(known)
    const bytes = analyses.document(id)
    // A summary alone cannot be corrected. Before the analysis, corrections are only stored.
    const needed = isReadable(known) && isCorrection(change)
    const document = bytes || needed ? await storedAnalysis(bytes, id, signal) : undefined
    const before = corrections.of(id) ?? {}
    const after = changed(before, change, document)
    const now = document && correctedSummary(document, after)
    const row = store.atomically((): TrackRow | undefined => {
      // Another call or an analysis may have made a change first.
      const isStale = JSON.stringify(corrections.of(id) ?? {}) !== JSON.stringify(before)
      const current = findTrack(store, { id })
      const present = analyses.document(id)
      if (isStale || (bytes && present ? !bytes.equals(present) : bytes !== present))
        return undefined
      corrections.set(id, after, now?.heard)
      if (now) analyses.setSummary(id, now.summary)
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

/** Whether a change sets a correction, rather than only a hint or a removal. */
function isCorrection({ tempoRange: _, ...change }: Corrections): boolean {
  return Object.values(change).some((value) => value != null)
}

/** The corrections that another one takes the place of. */
export function replacedBy({ grid, tempo, downbeat }: Corrections): (keyof Corrections)[] {
  if (grid != null) return ['tempo', 'downbeat', 'parts']
  return tempo != null || downbeat != null ? ['grid'] : []
}

function changed(
  before: TrackCorrections,
  change: Corrections,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const part = partCorrectionOf(change)
  if (part) return withChangedPart(before, part, document)
  const after: Record<string, unknown> = { ...before }
  for (const name of replacedBy(change)) delete after[name]
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = value
  }
  if (!document) return after
  const heard = applyCorrections(document, hintOf(after))
  requireFitting(heard, change)
  if (change.tempo === 'double') after.tempo = 2 * heard.track.tempo
  if (change.tempo === 'half') after.tempo = heard.track.tempo / 2
  return after
}

import { z } from 'zod'
import { corrected } from '../analysis/correction/correct.ts'
import {
  type Corrections,
  requireCorrections,
  requireFitting,
} from '../analysis/correction/corrections.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { type AnalysisSummary, summarize } from '../analysis/document-summary.ts'
import { method } from '../kernel/method.ts'
import { stored } from '../song/facts.ts'
import { songChanged } from '../song/from-track.ts'
import { requireAnalysis, storedAnalysis } from './analysis.ts'
import type { Heard, TrackCorrections } from './correction-store.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { isReadable } from './track-answer.ts'

/** `track/corrections` (ours): what was put right in a track, and the hint of its tempo. */
export const corrections = method({
  name: 'track/corrections',
  parameters: z.strictObject(trackReference),
  run({ store, corrections }: TrackRoom, given): TrackCorrections {
    return corrections.of(findTrack(store, given).id) ?? {}
  },
})

/** What a document says with corrections, and what it says without them. */
export interface CorrectedSummary {
  summary: AnalysisSummary
  heard: Heard
}

/** What a document says with corrections. A hint is heard too: `null` for the tempo does not end it. */
export function correctedSummary(
  document: AnalysisDocument,
  given: TrackCorrections,
): CorrectedSummary {
  const summary = summarize(corrected(document, given))
  return { summary, heard: heardOf(summarize(corrected(document, hintOf(given)))) }
}

/** The part of a summary that can be put right. */
export function heardOf(summary: AnalysisSummary): Heard {
  const { tempo, key, mode, timeSignature, firstDownbeat } = stored(summary)
  return { tempo, key, mode, timeSignature, firstDownbeat } as Heard
}

function hintOf({ tempoRange }: TrackCorrections): TrackCorrections {
  return tempoRange ? { tempoRange } : {}
}

/**
 * Changes the corrections of a track, and its summary with them. A tempo of `double` or `half` is that of
 * the tempo that the analysis heard, and is kept as a number, so that it means the same when another
 * analysis hears another tempo.
 *
 * @param change - `null` takes a correction back, `undefined` leaves it
 * @throws {ParameterError} `unknown_identifier`; on what the document cannot have; `not_ready` on
 * `double` and `half` of what is not analysed, and on any correction of an imported summary
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
    // Of a summary alone nothing follows a correction; before the analysis it waits for one.
    const needed = isReadable(known) && isCorrection(change)
    const document = bytes || needed ? await storedAnalysis(bytes, id, signal) : undefined
    const before = corrections.of(id) ?? {}
    const after = changed(before, change, document)
    const now = document && correctedSummary(document, after)
    const row = store.atomically((): TrackRow | undefined => {
      // Another call or an analysis came first.
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

/** Keeps the range of tempi that a call expects, if it does. */
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

/** Whether something is put right, not only expected or taken back. */
function isCorrection({ tempoRange: _, ...change }: Corrections): boolean {
  return Object.values(change).some((value) => value != null)
}

function changed(
  before: TrackCorrections,
  change: Corrections,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = value
  }
  if (!document) return after
  const heard = corrected(document, hintOf(after))
  requireFitting(heard, change)
  if (change.tempo === 'double') after.tempo = 2 * heard.track.tempo
  if (change.tempo === 'half') after.tempo = heard.track.tempo / 2
  return after
}

import { z } from 'zod'
import { corrected } from '../analysis/correction/correct.ts'
import { requireCorrections, requireFitting } from '../analysis/correction/corrections.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { summarize } from '../analysis/document-summary.ts'
import { method } from '../kernel/method.ts'
import { songChanged } from '../song/from-track.ts'
import { requireAnalysis, storedAnalysis } from './analysis.ts'
import type { TrackCorrections } from './correction-store.ts'
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

/** Corrections to set; `null` takes one back, `undefined` leaves it. */
export type Change = {
  [Name in Exclude<keyof TrackCorrections, 'tempo'>]?: TrackCorrections[Name] | null | undefined
} & { tempo?: 'double' | 'half' | number | null | undefined }

/**
 * Changes the corrections of a track, and its summary with them. A tempo of `double` or `half` is kept
 * as the tempo that it comes to, so that it means the same when another analysis finds another tempo.
 *
 * @throws {ParameterError} `unknown_identifier`; on what the document cannot have; `not_ready` on
 * `double` and `half` of what is not analysed, and on any correction of an imported summary
 */
export async function changeCorrections(
  room: TrackRoom,
  id: string,
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  const { store, analyses, corrections, song, emit } = room
  for (;;) {
    const row = findTrack(store, { id })
    if (typeof change.tempo === 'string') requireAnalysis(row)
    const bytes = analyses.document(id)
    // Of a summary alone nothing follows a correction; before the analysis it waits for one.
    const needed = isReadable(row) && isCorrection(change)
    const document = bytes || needed ? await storedAnalysis(bytes, id, signal) : undefined
    const before = corrections.of(id) ?? {}
    const after = changed(before, change, document)
    const summary = document && summarize(corrected(document, after))
    const now = store.atomically((): TrackRow | undefined => {
      // Another call or an analysis came first.
      const isStale = JSON.stringify(corrections.of(id) ?? {}) !== JSON.stringify(before)
      const current = findTrack(store, { id })
      const known = analyses.document(id)
      if (isStale || (bytes && known ? !bytes.equals(known) : bytes !== known)) return undefined
      corrections.set(id, after)
      if (summary) analyses.setSummary(id, summary)
      if (current.songId !== null) songChanged(song, current.songId)
      return current
    })
    if (!now) continue
    if (now.status !== 'pending') emit('track', { id, status: now.status, progress: 1 })
    return
  }
}

/** Keeps the range of tempi that a call expects, if it does. */
export async function hintTempo(
  room: TrackRoom,
  id: string,
  { tempoRange }: Pick<Change, 'tempoRange'>,
  signal: AbortSignal,
): Promise<void> {
  if (tempoRange == null) return
  requireCorrections({ tempoRange })
  await changeCorrections(room, id, { tempoRange }, signal)
}

/** Whether something is put right, not only expected or taken back. */
function isCorrection({ tempoRange: _, ...change }: Change): boolean {
  return Object.values(change).some((value) => value != null)
}

function changed(
  before: TrackCorrections,
  change: Change,
  document: AnalysisDocument | undefined,
): TrackCorrections {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = value
  }
  if (!document) return after
  // What is doubled is what the user sees.
  const seen = typeof change.tempo === 'string' ? corrected(document, before) : document
  requireFitting(seen, change)
  if (change.tempo === 'double') after.tempo = 2 * seen.track.tempo
  if (change.tempo === 'half') after.tempo = seen.track.tempo / 2
  return after
}

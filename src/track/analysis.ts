import { z } from 'zod'
import { applyCorrections } from '../analysis/correction/correct.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { method } from '../kernel/method.ts'
import { AudileError, DecodeError, ParameterError } from '../values/errors.ts'
import { findTrack, trackReference } from './find-track.ts'
import { readDocument } from './read-document.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { isReadable } from './track-answer.ts'

/**
 * `track/analysis` (ours): the full analysis document with its corrections. If the last analysis
 * failed or is `unavailable`, it is the one before.
 */
export const trackAnalysis = method({
  name: 'track/analysis',
  parameters: z.strictObject(trackReference),
  async run(room: TrackRoom, reference, { signal }): Promise<AnalysisDocument> {
    const { id } = requireAnalysis(findTrack(room.store, reference))
    const document = await storedAnalysis(room.analyses.document(id), id, signal)
    const storedCorrections = room.corrections.of(id)
    return storedCorrections ? applyCorrections(document, storedCorrections) : document
  },
})

/** The document as the analyser made it. */
export async function storedAnalysis(
  stored: Uint8Array | undefined,
  id: string,
  signal: AbortSignal,
): Promise<AnalysisDocument> {
  if (!stored) {
    const message = `${id} was imported with a summary and no analysis; upload its file.`
    throw new ParameterError('not_ready', message)
  }
  try {
    return await readDocument(stored, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw new AudileError(
      'database',
      `The stored analysis of ${id} is damaged; upload its file again.`,
      { cause: error },
    )
  }
}

export function requireAnalysis(row: TrackRow): TrackRow {
  if (!isReadable(row)) {
    if (row.status === 'error') {
      throw new DecodeError(row.error ?? 'The track could not be analysed.')
    }
    throw new ParameterError(
      'not_ready',
      `${row.id} is ${row.status}: its analysis is not ready; wait with track.analyzed().`,
    )
  }
  return row
}

import { basename } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { z } from 'zod'
import type { AnalysisDocument } from '../analysis/document.ts'
import { AudileError, DecodeError, ParameterError } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { isReadable } from './track-answer.ts'

const parameters = z.strictObject(trackReference)

const inflate = promisify(inflateRaw)

/**
 * `track/analysis` (ours): the full analysis document, with the published names of its fields. Of a
 * track that is `unavailable`, or whose last analysis failed, it is the one before.
 */
export const analysis = method({
  name: 'track/analysis',
  parameters,
  async run({ store }: TrackRoom, given): Promise<AnalysisDocument> {
    const row = requireAnalysis(findTrack(store, given))
    try {
      const text = await inflate(store.document(row.id) as Buffer)
      const document = JSON.parse(text.toString('utf8')) as AnalysisDocument
      // Analysers before 1.4.0 wrote where the file was: nobody else's business.
      const { filename } = document.meta
      if (filename !== undefined) document.meta.filename = basename(filename)
      return document
    } catch (error) {
      throw new AudileError(
        'database',
        `The stored analysis of ${row.id} is damaged; upload its file again.`,
        { cause: error },
      )
    }
  },
})

/**
 * The track, if it has an analysis.
 *
 * @throws {ParameterError} `not_ready` while it is being made
 * @throws {DecodeError} with the reason when it could not be, and never was before
 */
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

import { z } from 'zod'
import { invalidParameter, missingParameter, unknownIdentifier } from '../errors.ts'
import { parseForeignId } from '../ids.ts'
import type { Changes } from '../kernel/wait-for-change.ts'
import type { TrackRow, TrackStore } from './store.ts'

/** The parameters that name one track; exactly one of the two. */
export const trackReference = {
  /** `TR…`, or a foreign id. */
  id: z.string().min(1).optional(),
  /** The MD5 of the file, 32 hexadecimal digits. */
  md5: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits')
    .optional(),
}

/** One track by its id, a foreign id, or the md5 of its file. */
export interface TrackReference {
  id?: string | undefined
  md5?: string | undefined
}

/** Whether an id, of the service or foreign, is of a track of one's own. */
export function isOwn(store: TrackStore, id: string): boolean {
  const foreign = parseForeignId(id)
  return (foreign ? store.byForeignId(foreign) : store.byId(id)) !== undefined
}

/**
 * The track that is meant.
 *
 * @throws {ParameterError} `missing_parameter` or `invalid_parameter` unless exactly one of the two
 * is given; `unknown_identifier` when there is no such track
 */
export function findTrack(store: TrackStore, { id, md5 }: TrackReference): TrackRow {
  if (id !== undefined && md5 !== undefined) {
    throw invalidParameter('md5', `"${md5}" beside an id`)
  }
  if (md5 !== undefined) {
    const row = store.byMd5(md5.toLowerCase())
    if (!row) throw unknownIdentifier(md5)
    return row
  }
  if (id === undefined) {
    throw missingParameter('id', 'give id or md5')
  }
  const foreign = parseForeignId(id)
  const row = foreign ? store.byForeignId(foreign) : store.byId(id)
  if (!row) throw unknownIdentifier(id)
  return row
}

/**
 * Waits until a track is not pending.
 *
 * @throws the signal's reason on abort; the analysis goes on
 * @throws {ParameterError} `unknown_identifier` when the track is removed meanwhile
 */
export function settledTrack(
  { store, changes }: { store: TrackStore; changes: Changes },
  id: string,
  signal: AbortSignal,
): Promise<TrackRow> {
  return changes.until(id, signal, () => {
    const row = store.byId(id)
    if (!row) throw unknownIdentifier(id)
    return row.status === 'pending' ? undefined : row
  })
}

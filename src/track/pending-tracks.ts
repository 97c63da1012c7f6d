import { ParameterError } from '../errors.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/**
 * Resolves with the track once it is not pending.
 *
 * @throws the signal's reason on abort; the analysis goes on
 * @throws {ParameterError} `unknown_identifier` when the track is removed meanwhile
 */
export async function trackSettled(
  { store, changes }: Pick<TrackRoom, 'store' | 'changes'>,
  id: string,
  signal: AbortSignal,
): Promise<TrackRow> {
  for (;;) {
    signal.throwIfAborted()
    const row = store.byId(id)
    if (!row) throw unknownIdentifier(id)
    if (row.status !== 'pending') return row
    await changes.next(id, signal)
  }
}

/** The service's recorded answer to an id or md5 that nobody knows. */
export function unknownIdentifier(id: string): ParameterError {
  return new ParameterError('unknown_identifier', `The Identifier specified does not exist: ${id}`)
}

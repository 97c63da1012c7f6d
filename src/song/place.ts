import { invalidParameter } from '../errors.ts'
import type { SongRoom } from './room.ts'

/**
 * The songs and artists of a reference, or those of the database if none is named.
 *
 * @throws {ParameterError} when there is no such reference
 */
export function placeOf(
  { store, artists, referenced }: Pick<SongRoom, 'store' | 'artists' | 'referenced'>,
  reference: string | undefined,
): Pick<SongRoom, 'store' | 'artists'> {
  if (reference === undefined) return { store, artists }
  const place = referenced.get(reference)
  if (place) return place
  throw invalidParameter('reference', `"${reference}" is not in the option references`)
}

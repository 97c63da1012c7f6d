import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import { type ArtistAnswer, describe } from './artist-answer.ts'
import { artistBucket } from './buckets.ts'
import type { ArtistContext } from './context.ts'
import { findArtist } from './find-artist.ts'

export const parameters = z.strictObject({
  /** An id of the service, or a foreign one. */
  id: z.string().min(1),
  bucket: artistBucket,
})

/**
 * `artist/profile` (ours): what is known of an artist.
 *
 * @throws {ParameterError} `unknown_identifier`
 */
export function profile(context: ArtistContext, given: z.output<typeof parameters>): ArtistAnswer {
  const id = findArtist(context, given.id)
  const row = id === undefined ? undefined : context.store.byId(id)
  if (row) return describe(context, row, given.bucket)
  const message = `The Identifier specified does not exist: ${given.id}`
  throw new ParameterError('unknown_identifier', message)
}

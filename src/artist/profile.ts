import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { unknownIdentifier } from '../values/errors.ts'
import { type ArtistAnswer, artistBucket, describe } from './artist-answer.ts'
import { findArtist } from './find-artist.ts'
import type { ArtistRoom } from './room.ts'

const parameters = z.strictObject({
  /** A native or foreign id. */
  id: nonEmpty,
  /** The parts of the answer besides the name: `terms`, `songs`, `id:<id space>` … */
  bucket: artistBucket,
})

/**
 * `artist/profile` (ours): returns the known facts about an artist.
 *
 * @throws {ParameterError} `unknown_identifier`
 */
export const profile = method({
  name: 'artist/profile',
  parameters,
  run(context: ArtistRoom, given): ArtistAnswer {
    const id = findArtist(context, given.id)
    const row = id === undefined ? undefined : context.store.byId(id)
    if (row) return describe(context, row, given.bucket)
    throw unknownIdentifier(given.id)
  },
})

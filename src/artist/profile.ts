import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { type ArtistAnswer, artistBucket, describeArtist } from './artist-answer.ts'
import { requireArtist } from './find-artist.ts'
import type { ArtistRoom } from './room.ts'

/** `artist/profile` (ours): returns the known facts about an artist. */
export const artistProfile = method({
  name: 'artist/profile',
  parameters: z.strictObject({
    /** A native or foreign id. */
    id: nonEmpty,
    /** The parts of the answer besides the name: `terms`, `songs`, `id:<id space>` … */
    bucket: artistBucket,
  }),
  run(context: ArtistRoom, params): ArtistAnswer {
    return describeArtist(context, requireArtist(context, params.id), params.bucket)
  },
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { type ArtistAnswer, artistBucket, describe } from './artist-answer.ts'
import { requireArtist } from './find-artist.ts'
import type { ArtistRoom } from './room.ts'

/** `artist/profile` (ours): returns the known facts about an artist. */
export const profile = method({
  name: 'artist/profile',
  parameters: z.strictObject({
    /** A native or foreign id. */
    id: nonEmpty,
    /** The parts of the answer besides the name: `terms`, `songs`, `id:<id space>` … */
    bucket: artistBucket,
  }),
  run(context: ArtistRoom, given): ArtistAnswer {
    return describe(context, requireArtist(context, given.id), given.bucket)
  },
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nameKey, wordsOfKey } from '../naming/names.ts'
import { name, whole } from '../options/parameter-types.ts'
import { type ArtistAnswer, artistBucket, describeArtist } from './artist-answer.ts'
import { matchArtist } from './match.ts'
import type { ArtistRoom } from './room.ts'

/**
 * `artist/search` (ours): the exact name first, then by familiarity; if there is none, the most
 * similar name.
 */
export const searchArtists = method({
  name: 'artist/search',
  parameters: z.strictObject({
    /** Words of a name of the artist. */
    name,
    /** The parts of the answer besides the name: `terms`, `songs`, `id:<id space>` … */
    bucket: artistBucket,
    /** How many results to answer at most, 0…100. Default 15. */
    results: whole.max(100).default(15),
    /** How many results to skip. Default 0. */
    start: whole.default(0),
  }),
  run(context: ArtistRoom, { name, bucket, results, start }): ArtistAnswer[] {
    const { store } = context
    const sameName = store.findByName(name).map(({ num }) => num)
    const words = store.withWords([...new Set(wordsOfKey(nameKey(name)))])
    const { familiarity } = store.columns.readColumns().columns
    const familiarityOf = (num: number) => {
      const value = familiarity[num] ?? Number.NaN
      return Number.isNaN(value) ? -1 : value
    }
    const others = words
      .filter((num) => !sameName.includes(num))
      .sort((a, b) => familiarityOf(b) - familiarityOf(a) || a - b)
    const artists = [...sameName, ...others]
    if (artists.length === 0) {
      const closest = matchArtist(store, name)
      if (closest) artists.push(closest.num)
    }
    return artists.slice(start, start + results).flatMap((num) => {
      const row = store.byNum(num)
      return row ? [describeArtist(context, row, bucket)] : []
    })
  },
})

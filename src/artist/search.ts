import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nameKey, wordsOf } from '../naming/names.ts'
import { name, whole } from '../options/parameter-types.ts'
import { type ArtistAnswer, artistBucket, describe } from './artist-answer.ts'
import { matchArtist } from './match.ts'
import type { ArtistRoom } from './room.ts'

/**
 * `artist/search` (ours): finds the artists with all the words in their names; first those with
 * exactly the name, then by familiarity. If there is none, it finds the artist with the most
 * similar name.
 */
export const search = method({
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
    const exact = store.named(name).map(({ num }) => num)
    const words = store.withWords([...new Set(wordsOf(nameKey(name)))])
    const { familiarity } = store.columns.readColumns().columns
    const known = (num: number) => {
      const value = familiarity[num] ?? Number.NaN
      return Number.isNaN(value) ? -1 : value
    }
    const others = words
      .filter((num) => !exact.includes(num))
      .sort((a, b) => known(b) - known(a) || a - b)
    const found = [...exact, ...others]
    if (found.length === 0) {
      const closest = matchArtist(store, name)
      if (closest) found.push(closest.num)
    }
    return found.slice(start, start + results).flatMap((num) => {
      const row = store.byNum(num)
      return row ? [describe(context, row, bucket)] : []
    })
  },
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { name } from '../parameter-types.ts'
import { type ArtistAnswer, describe } from './artist-answer.ts'
import { artistBucket } from './buckets.ts'
import { matchArtist } from './match.ts'
import { wordsOf } from './name-words.ts'
import { nameKey } from './names.ts'
import type { ArtistRoom } from './room.ts'

const parameters = z.strictObject({
  /** Words of the name, or of another name that is known. */
  name,
  bucket: artistBucket,
  results: z.int().min(0).max(100).default(15),
  start: z.int().min(0).default(0),
})

/**
 * `artist/search` (ours): artists in whose names all the words are; those who are called exactly so
 * first, then the better known. Where there is none, the one whose name is closest.
 */
export const search = method({
  name: 'artist/search',
  parameters,
  run(context: ArtistRoom, { name, bucket, results, start }): ArtistAnswer[] {
    const { store } = context
    const exact = store.named(name).map(({ num }) => num)
    const words = store.withWords([...new Set(wordsOf(nameKey(name)))])
    const { familiarity } = store.columns.read().columns
    const known = (num: number) => {
      const value = familiarity[num] ?? Number.NaN
      return Number.isNaN(value) ? -1 : value
    }
    const others = words
      .filter((num) => !exact.includes(num))
      .sort((a, b) => known(b) - known(a) || a - b)
    const found = [...exact, ...others]
    if (found.length === 0) {
      const closest = matchArtist(context, { artistName: name })
      if (closest) found.push(closest.num)
    }
    return found.slice(start, start + results).flatMap((num) => {
      const row = store.byNum(num)
      return row ? [describe(context, row, bucket)] : []
    })
  },
})

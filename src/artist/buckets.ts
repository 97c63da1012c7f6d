import { z } from 'zod'
import { oneOrMany } from '../parameter-types.ts'

/** The names of the buckets of artists. */
export const ARTIST_BUCKETS = [
  'biographies',
  'blogs',
  'doc_counts',
  'familiarity',
  'hotttnesss',
  'images',
  'news',
  'origins',
  'reviews',
  'songs',
  'terms',
  'urls',
  'video',
  'years_active',
  'artist_location',
] as const

/** A `bucket` parameter. @param spaces - the forms of `id:` buckets, for messages */
export function bucketParameter(names: readonly string[], spaces: string) {
  const listed = names.map((name) => `"${name}"`).join(', ')
  const name = z.string().refine((bucket) => names.includes(bucket) || /^id:.+/.test(bucket), {
    error: `is not one of ${listed}, or ${spaces}`,
  })
  return oneOrMany(name).optional()
}

/** The `bucket` parameter of the artist methods. */
export const artistBucket = bucketParameter(ARTIST_BUCKETS, '"id:<ID SPACE>"')

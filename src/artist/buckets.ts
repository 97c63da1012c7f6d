import { z } from 'zod'

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

const name = z
  .string()
  .refine(
    (bucket) => (ARTIST_BUCKETS as readonly string[]).includes(bucket) || /^id:.+/.test(bucket),
    {
      error: `is not one of ${ARTIST_BUCKETS.map((b) => `"${b}"`).join(', ')}, or "id:<ID SPACE>"`,
    },
  )

/** The `bucket` parameter of the artist methods. */
export const artistBucket = z.union([name, z.array(name)]).optional()

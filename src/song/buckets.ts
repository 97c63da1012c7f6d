import { bucketParameter } from '../options/parameter-types.ts'
import { invalidParameter } from '../values/errors.ts'

export const SONG_BUCKETS = [
  'audio_summary',
  'artist_familiarity',
  'artist_hotttnesss',
  'artist_location',
  'song_hotttnesss',
  'song_type',
  'tracks',
  'origins',
  'own_tracks',
] as const

/** A part of a song's answer that must be requested. */
export type SongBucket = (typeof SONG_BUCKETS)[number] | `id:${string}`

export const songBucketParameter = bucketParameter(
  SONG_BUCKETS,
  '"id:<ID SPACE>", or "id:<CATALOG ID>"',
)

export interface AskedBuckets {
  named: ReadonlySet<string>
  spaces: readonly string[]
}

export function splitBuckets(
  bucketParameter: string | readonly string[] | undefined,
): AskedBuckets {
  const buckets = bucketParameter === undefined ? [] : [bucketParameter].flat()
  const spaces = buckets.filter((bucket) => bucket.startsWith('id:')).map((one) => one.slice(3))
  const named = new Set(buckets.filter((bucket) => !bucket.startsWith('id:')))
  return { named, spaces: [...new Set(spaces)] }
}

export function parseBuckets(
  bucketParameter: string | readonly string[] | undefined,
): AskedBuckets {
  const asked = splitBuckets(bucketParameter)
  requireSpace(asked)
  return asked
}

/** @throws {ParameterError} on `tracks` without an id space, as in the specification */
export function requireSpace({ named, spaces }: AskedBuckets): void {
  if (!named.has('tracks') || spaces.length > 0) return
  throw invalidParameter('bucket', '"tracks" needs an id space beside it, e.g. "id:musicbrainz"')
}

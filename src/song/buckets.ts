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

export const bucket = bucketParameter(SONG_BUCKETS, '"id:<ID SPACE>", or "id:<CATALOG ID>"')

export interface Asked {
  named: ReadonlySet<string>
  spaces: readonly string[]
}

/** Separates the names of buckets from id spaces. */
export function split(given: string | readonly string[] | undefined): Asked {
  const buckets = given === undefined ? [] : [given].flat()
  const spaces = buckets.filter((one) => one.startsWith('id:')).map((one) => one.slice(3))
  const named = new Set(buckets.filter((one) => !one.startsWith('id:')))
  return { named, spaces: [...new Set(spaces)] }
}

/** Reads the `bucket` parameter of a song method. */
export function askedOf(given: string | readonly string[] | undefined): Asked {
  const asked = split(given)
  requireSpace(asked)
  return asked
}

/** @throws {ParameterError} on `tracks` without an id space, as the specification says */
export function requireSpace({ named, spaces }: Asked): void {
  if (!named.has('tracks') || spaces.length > 0) return
  throw invalidParameter('bucket', '"tracks" needs an id space beside it, e.g. "id:musicbrainz"')
}

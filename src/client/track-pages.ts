import type { Door, Params } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import { Track, type Waiting } from './track.ts'

/** `mixesWith` also takes a handle. */
interface Mixing {
  /**
   * Only tracks that mix well with this one, a handle or an id: in one of its
   * {@link compatibleKeys}, and with a tempo within 6 % of its own, or of double or half that. The
   * track itself is left out. Nothing mixes with a track that has no tempo or no key.
   */
  mixesWith?: IdReference | undefined
}

/** Which tracks, in which order, and which page. */
export type TrackQuery = Omit<Params<'track/search'>, 'mixesWith'> & Mixing

/** Which tracks, in which order, and with which buckets. */
export type AllTracks = Omit<Params<'track/ids'>, 'mixesWith'> &
  Mixing &
  Partial<Pick<Params<'track/profiles'>, 'bucket'>>

/** A query as the methods take it. */
export function named<Query extends Mixing>({ mixesWith, ...query }: Query) {
  return { ...query, ...(mixesWith !== undefined && { mixesWith: idOf(mixesWith) }) }
}

/** Tracks per call. */
const PAGE = 100

/**
 * The handles of tracks, page by page. All ids are read at the start, so no track is missed or
 * repeated when others are added or removed.
 */
export async function* tracksOf(
  door: Door,
  ids: () => Promise<readonly string[]>,
  { bucket, signal }: Pick<AllTracks, 'bucket'> & Waiting,
): AsyncGenerator<Track> {
  const all = await ids()
  for (let start = 0; start < all.length; start += PAGE) {
    const page = { ids: all.slice(start, start + PAGE), bucket }
    for (const answer of await door.call('track/profiles', page, { signal })) {
      yield new Track(door, answer)
    }
  }
}

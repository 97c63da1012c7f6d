import type { Door, Params } from '../door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import { Track, type Waiting } from './track.ts'

/** What may mix is named by a handle too. */
interface Mixing {
  /**
   * Only tracks that mix well with this one, a handle or an id: in one of its {@link compatibleKeys},
   * and with a tempo that is at most 6 % from its own, or from the double or half of that. The track
   * itself is left out, and with one that has no tempo or no key nothing mixes.
   */
  mixesWith?: IdReference | undefined
}

/** Which tracks, in which order, and the page of them that is answered. */
export type TrackQuery = Omit<Params<'track/search'>, 'mixesWith'> & Mixing

/** Which tracks, in which order, and what is answered of them. */
export type AllTracks = Omit<Params<'track/ids'>, 'mixesWith'> &
  Mixing &
  Partial<Pick<Params<'track/profiles'>, 'bucket'>>

/** A query as the methods take it. */
export function named<Query extends Mixing>({ mixesWith, ...query }: Query) {
  return { ...query, ...(mixesWith !== undefined && { mixesWith: idOf(mixesWith) }) }
}

/** Tracks that are asked for at once. */
const PAGE = 100

/**
 * The handles of tracks, page by page. As their ids are known from the beginning, none is missed or
 * repeated when others come or go meanwhile.
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

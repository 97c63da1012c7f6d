import type { Door, Params } from '../door.ts'
import { Track, type Waiting } from './track.ts'

/** Which tracks, in which order, and what is answered of them. */
export type AllTracks = Params<'track/ids'> & Partial<Pick<Params<'track/profiles'>, 'bucket'>>

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

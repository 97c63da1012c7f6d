import type { Door, Params } from '../host/door.ts'
import type { MusicKey } from '../values/music-key.ts'
import type { IdReference } from './id-reference.ts'
import { Track, type Waiting } from './track.ts'

/** `mixesWith` also takes a handle. */
interface MixesWithField {
  /**
   * Only tracks that mix well with this track or key.
   *
   * A track is a handle or an id. The others are in one of its {@link compatibleKeys}, and have a
   * tempo within 6 % of its own, or of double or half that. The track itself is left out. Nothing
   * mixes with a track that has no tempo or no key.
   *
   * A key is a text that {@link parseKey} reads, such as `8A` or `Am`, or `{ key, mode }`. Then
   * only the keys must be compatible; any tempo will do.
   */
  mixesWith?: IdReference | MusicKey | undefined
}

/** Which tracks, in which order, and which page. */
export type TrackQuery = Omit<Params<'track/search'>, 'mixesWith'> & MixesWithField

/** Which tracks, in which order, and with which buckets. */
export type AllTracks = Omit<Params<'track/ids'>, 'mixesWith'> &
  MixesWithField &
  Partial<Pick<Params<'track/profiles'>, 'bucket'>>

/** A query as the methods take it. */
export function queryParameters<Query extends MixesWithField>({ mixesWith, ...query }: Query) {
  return { ...query, ...(mixesWith !== undefined && { mixesWith: mixTarget(mixesWith) }) }
}

/** The id of a handle. What is neither a handle nor a key stays, so that the method rejects it. */
function mixTarget(target: IdReference | MusicKey): string | MusicKey {
  const isHandle = typeof target === 'object' && target !== null && 'id' in target
  return isHandle && typeof target.id === 'string' ? target.id : (target as string | MusicKey)
}

/** Tracks per call. */
const TRACKS_PER_CALL = 100

/**
 * The handles of tracks, page by page. All ids are read at the start, so no track is missed or
 * repeated when others are added or removed.
 */
export async function* loadTracks(
  door: Door,
  ids: () => Promise<readonly string[]>,
  { bucket, signal }: Pick<AllTracks, 'bucket'> & Waiting,
): AsyncGenerator<Track> {
  const allIds = await ids()
  for (let start = 0; start < allIds.length; start += TRACKS_PER_CALL) {
    const page = { ids: allIds.slice(start, start + TRACKS_PER_CALL), bucket }
    for (const answer of await door.call('track/profiles', page, { signal })) {
      yield new Track(door, answer)
    }
  }
}

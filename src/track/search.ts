import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { type Page, parameters, type TrackSearch } from './search-parameters.ts'
import { searchTracks } from './search-tracks.ts'
import { describeAll, type TrackBucket, type TrackProfile } from './track-answer.ts'

/** A page of tracks. */
export interface TrackPage {
  start: number
  /** Tracks that match the query. */
  total: number
  tracks: TrackProfile[]
}

/** `track/search` (ours): the tracks that match all of a query, in pages. */
export const search = method({
  name: 'track/search',
  parameters,
  run: (room: TrackRoom, query): TrackPage => pageOf(room, query),
})

/** A page of the tracks of a query. */
export function pageOf(
  room: TrackRoom,
  query: TrackSearch & Page & { bucket?: TrackBucket | TrackBucket[] | undefined },
): TrackPage {
  const { total, ids } = searchTracks(room, query, query)
  return { start: query.start, total, tracks: describeAll(room.store, ids, query.bucket) }
}

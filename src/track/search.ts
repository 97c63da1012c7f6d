import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { type Page, type TrackSearch, trackSearchParameters } from './search-parameters.ts'
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
export const searchTrackPage = method({
  name: 'track/search',
  parameters: trackSearchParameters,
  run: (room: TrackRoom, query): TrackPage => trackPage(room, query),
})

export function trackPage(
  room: TrackRoom,
  query: TrackSearch & Page & { bucket?: TrackBucket | TrackBucket[] | undefined },
): TrackPage {
  const { total, ids } = searchTracks(room, query, query)
  return { start: query.start, total, tracks: describeAll(room.store, ids, query.bucket) }
}

import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { type Page, parameters, type TrackSearch } from './search-parameters.ts'
import { searchTracks } from './search-tracks.ts'
import { describe, type TrackBucket, type TrackProfile } from './track-answer.ts'

/** A page of tracks. */
export interface TrackPage {
  start: number
  /** Tracks that match the query. */
  total: number
  tracks: TrackProfile[]
}

/** `track/search` (ours): the tracks with all that the query asks for, in pages. */
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
  const tracks = ids.flatMap((id) => {
    const row = room.store.byId(id)
    return row ? [describe(room.store, row, query.bucket)] : []
  })
  return { start: query.start, total, tracks }
}

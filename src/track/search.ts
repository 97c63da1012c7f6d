import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import {
  type Page,
  pageOfTracks,
  parameters,
  selection,
  type TrackSearch,
  unpagedParameters,
} from './search-parameters.ts'
import { searchTracks } from './search-tracks.ts'
import { describeAll, type TrackBucket, type TrackProfile } from './track-answer.ts'

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

/** `track/list` (ours): the tracks, or some of them, in pages. */
export const list = method({
  name: 'track/list',
  parameters: z.strictObject({ ...selection, ...pageOfTracks }),
  run: (room: TrackRoom, query): TrackPage => pageOf(room, query),
})

const ALL = { start: 0, results: Number.MAX_SAFE_INTEGER }

/** `track/ids` (ours): the ids of all tracks that a query of `track/search` finds, in its order. */
export const ids = method({
  name: 'track/ids',
  parameters: unpagedParameters,
  run: (room: TrackRoom, query): string[] => searchTracks(room, query, ALL).ids,
})

/** A page of the tracks of a query. */
function pageOf(
  room: TrackRoom,
  query: TrackSearch & Page & { bucket?: TrackBucket | TrackBucket[] | undefined },
): TrackPage {
  const { total, ids } = searchTracks(room, query, query)
  return { start: query.start, total, tracks: describeAll(room.store, ids, query.bucket) }
}

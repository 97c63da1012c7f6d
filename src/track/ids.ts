import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { unpagedParameters } from './search-parameters.ts'
import { searchTracks } from './search-tracks.ts'

const ALL = { start: 0, results: Number.MAX_SAFE_INTEGER }

/** `track/ids` (ours): the ids of all tracks that a query of `track/search` finds, in its order. */
export const ids = method({
  name: 'track/ids',
  parameters: unpagedParameters,
  run: (room: TrackRoom, query): string[] => searchTracks(room, query, ALL).ids,
})

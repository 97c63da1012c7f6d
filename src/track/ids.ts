import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { unpagedParameters } from './search-parameters.ts'
import { searchTracks } from './search-tracks.ts'

const WHOLE_RESULT = { start: 0, results: Number.MAX_SAFE_INTEGER }

/** `track/ids` (ours): the ids of all tracks of a query of `track/search`, in its order. */
export const listTrackIds = method({
  name: 'track/ids',
  parameters: unpagedParameters,
  run: (room: TrackRoom, query): string[] => searchTracks(room, query, WHOLE_RESULT).ids,
})

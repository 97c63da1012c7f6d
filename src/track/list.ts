import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { type TrackPage, trackPage } from './search.ts'
import { pageOfTracks, selection } from './search-parameters.ts'

/** `track/list` (ours): the tracks, or some of them, in pages. */
export const listTracks = method({
  name: 'track/list',
  parameters: z.strictObject({ ...selection, ...pageOfTracks }),
  run: (room: TrackRoom, query): TrackPage => trackPage(room, query),
})

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { pageOf, type TrackPage } from './search.ts'
import { pageOfTracks, selection } from './search-parameters.ts'

/** `track/list` (ours): the tracks, or some of them, in pages. */
export const list = method({
  name: 'track/list',
  parameters: z.strictObject({ ...selection, ...pageOfTracks }),
  run: (room: TrackRoom, query): TrackPage => pageOf(room, query),
})

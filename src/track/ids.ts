import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { chosenBy, selection } from './list.ts'
import type { TrackRoom } from './room.ts'

/** `track/ids` (ours): the ids of all tracks, or of some, in an order. */
export const ids = method({
  name: 'track/ids',
  parameters: z.strictObject(selection),
  run(room: TrackRoom, given): string[] {
    const chosen = chosenBy(room, given)
    return chosen ? room.store.ids(chosen) : []
  },
})

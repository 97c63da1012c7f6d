import { z } from 'zod'
import { type Cues, cues as cuesOf } from '../analysis/cues/cues.ts'
import type { OwnCue } from '../analysis/cues/own-cues.ts'
import { method } from '../kernel/method.ts'
import { analysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'

/** The cues of a track: those that are computed, and those that someone set. */
export interface TrackCues extends Cues {
  /** The cues and loops that someone set, by their numbers. */
  own: OwnCue[]
}

/** `track/cues` (ours): the cues and phrases of a track, from its document with all corrections. */
export const cues = method({
  name: 'track/cues',
  parameters: z.strictObject(trackReference),
  async run(room: TrackRoom, reference, context): Promise<TrackCues> {
    const computed = cuesOf(await analysis.run(room, reference, context))
    return { ...computed, own: room.cues.of(findTrack(room.store, reference).id) }
  },
})

import { z } from 'zod'
import { type Cues, cues as cuesOf } from '../analysis/cues/cues.ts'
import type { OwnCue } from '../analysis/cues/own-cues.ts'
import { method } from '../kernel/method.ts'
import { timelineOf } from '../sounds/timeline.ts'
import { trackAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'

/** The cues of a track: those that are computed, and those that someone set. */
export interface TrackCues extends Cues {
  /** The cues and loops that someone set, by their numbers. */
  own: OwnCue[]
}

/**
 * `track/cues` (ours): the cues and phrases of a track, with its corrections and where someone
 * sings, if that was heard.
 */
export const trackCues = method({
  name: 'track/cues',
  parameters: z.strictObject(trackReference),
  async run(room: TrackRoom, reference, context): Promise<TrackCues> {
    const document = await trackAnalysis.run(room, reference, context)
    const { id } = findTrack(room.store, reference)
    const heard = room.hearings.of(id)
    const voices =
      heard && heard.every > 0
        ? timelineOf(heard.moments, heard.every, document.track.duration).voice
        : []
    return { ...cuesOf(document, voices), own: room.cues.of(id) }
  },
})

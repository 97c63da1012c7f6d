import { z } from 'zod'
import {
  freeCueNumber,
  MAX_CUE_NUMBER,
  type OwnCue,
  requireOwnCues,
} from '../analysis/cues/own-cues.ts'
import { method } from '../kernel/method.ts'
import { oneOrMany } from '../options/parameter-types.ts'
import { invalidParameter, limitExceeded } from '../values/errors.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import { ownCue } from './track-record.ts'

export interface OwnCuesAnswer {
  /** By their numbers. */
  own: OwnCue[]
}

/** `track/own-cues` (ours): the cues and loops that someone set. */
export const ownCues = method({
  name: 'track/own-cues',
  parameters: z.strictObject(trackReference),
  run({ store, cues }: TrackRoom, reference): OwnCuesAnswer {
    return { own: cues.of(findTrack(store, reference).id) }
  },
})

/** `track/own-cues-set` (ours): sets cues and loops of a track, for all its later analyses too. */
export const setCues = method({
  name: 'track/own-cues-set',
  parameters: z.strictObject({
    ...trackReference,
    /** Each replaces the cue with its number; without one it gets the lowest that is free. */
    cues: z.array(ownCue.extend({ number: ownCue.shape.number.optional() })).max(MAX_CUE_NUMBER),
  }),
  run(room: TrackRoom, { cues: newCues, ...reference }): OwnCuesAnswer {
    return changeCues(room, reference, ({ id, duration }) => {
      const numbered = numberCues(room.cues.of(id), newCues)
      requireOwnCues(numbered)
      const late = numbered.find(({ time, end = time }) => duration && end > duration)
      if (late) {
        const { number, time, end } = late
        const moment = end ?? time
        throw invalidParameter(
          'cues',
          `cue ${number} is at ${moment}, after the end of the track at ${duration} seconds.`,
        )
      }
      room.cues.set(id, numbered)
    })
  },
})

/** `track/own-cues-remove` (ours): removes cues and loops that someone set. */
export const removeCues = method({
  name: 'track/own-cues-remove',
  parameters: z.strictObject({
    ...trackReference,
    /** Their numbers, or `all`. A number that no cue has is no error. */
    numbers: z.union([oneOrMany(z.int()), z.literal('all')]),
  }),
  run(room: TrackRoom, { numbers, ...reference }): OwnCuesAnswer {
    return changeCues(room, reference, ({ id }) => {
      if (numbers === 'all') room.cues.clear(id)
      else for (const number of [numbers].flat()) room.cues.remove(id, number)
    })
  },
})

function changeCues(
  { store, cues, emit }: TrackRoom,
  reference: Parameters<typeof findTrack>[1],
  change: (track: ReturnType<typeof findTrack>) => void,
): OwnCuesAnswer {
  const { id, status } = store.atomically(() => {
    const track = findTrack(store, reference)
    change(track)
    return track
  })
  if (status !== 'pending') emit('track', { id, status, progress: 1 })
  return { own: cues.of(id) }
}

/** The lowest free numbers, where they ask for none. */
function numberCues(
  presentCues: readonly OwnCue[],
  newCues: readonly (Omit<OwnCue, 'number'> & { number?: number | undefined })[],
): OwnCue[] {
  const takenNumbers = [
    ...presentCues,
    ...newCues.flatMap(({ number }) => (number ? [{ number }] : [])),
  ]
  return newCues.map((cue) => {
    const number = cue.number ?? freeCueNumber(takenNumbers)
    if (number === undefined)
      throw limitExceeded('cues', `${MAX_CUE_NUMBER} cues are set; remove some.`)
    takenNumbers.push({ number })
    return { ...cue, number }
  })
}

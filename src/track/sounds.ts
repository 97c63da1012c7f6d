import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { type Timeline, timelineOf } from '../sounds/timeline.ts'
import type { Instrument } from '../sounds/whole.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { HearingRow } from './hearing-store.ts'
import { HEAR_ALL_JOB } from './request-hearing.ts'
import type { TrackRoom } from './room.ts'

/** What is heard in a track. */
export interface TrackSounds extends Timeline {
  /** Instruments and families of instruments, the surest first; none that is not sure. */
  instruments: Instrument[]
}

const soundsParameters = z.strictObject({
  ...trackReference,
  /**
   * `known`: what was heard so far, at once, perhaps only every third second. Default `all`: all of
   * the track is heard first.
   */
  hear: z.enum(['all', 'known']).default('all'),
})

/** `track/sounds` (ours): where voices and applause are, and which instruments play. */
export const trackSounds = method({
  name: 'track/sounds',
  parameters: soundsParameters,
  async run(room: TrackRoom, { hear, ...reference }, { signal }): Promise<TrackSounds> {
    const { store, hearings, changes } = room
    const { id, duration } = requireAnalysis(findTrack(store, reference))
    const length = duration ?? 0
    const heard = hearings.of(id)
    if (heard?.every === 1 || (hear === 'known' && heard && heard.every > 0))
      return soundsOf(heard, length)
    if (hear === 'known' || room.config.soundModel === undefined) throw unheardError(id, room)
    store.atomically(() => {
      hearings.clearError(id)
      room.enqueue({ kind: HEAR_ALL_JOB, subject: id, priority: 10 })
    })
    return changes.waitUntil(id, signal, () => {
      findTrack(store, { id })
      const row = hearings.of(id)
      if (row?.error != null) throw new DecodeError(row.error)
      return row?.every === 1 ? soundsOf(row, length) : undefined
    })
  },
})

function soundsOf({ moments, every, instruments }: HearingRow, duration: number): TrackSounds {
  const packed = new Uint8Array(moments)
  return {
    ...timelineOf(packed, every, duration),
    instruments: JSON.parse(instruments) as Instrument[],
  }
}

function unheardError(id: string, { config }: TrackRoom): ParameterError {
  const remedy = config.soundModel
    ? 'wait for it, or ask without hear: "known"'
    : 'fetch a network with "audile model add", and open the database with soundModel'
  return new ParameterError('not_ready', `What sounds in ${id} was not heard; ${remedy}.`)
}

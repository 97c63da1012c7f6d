import type { OwnCue } from '../analysis/cues/own-cues.ts'
import type { Door, Result } from '../host/door.ts'

/** A hot cue or loop to set; without a number it gets the lowest that is free. */
export type NewCue = Omit<OwnCue, 'number'> & Partial<Pick<OwnCue, 'number'>>

/** The cues of a track: called, it answers the computed ones and one's own. */
export interface TrackCuesCall {
  (): Promise<Result<'track/cues'>>
  /**
   * Sets hot cues and loops (with an `end`), each in place of the one with its number. They are kept when the
   * track is analysed again, and exported to DJ programs.
   *
   * @returns all own cues of the track, by their numbers
   * @throws {ParameterError} on a value that no cue has, or a time after the end of the track
   *
   * @example
   * ```ts
   * await track.cues.set({ number: 1, time: 64.2, name: 'Drop', colour: '#ff7f00' })
   * await track.cues.set({ time: 96.1, end: 103.7, name: 'Loop' })
   * ```
   */
  set(cues: NewCue | readonly NewCue[]): Promise<OwnCue[]>
  /**
   * Removes own cues by their numbers.
   *
   * @returns the own cues that are left
   *
   * @example
   * ```ts
   * await track.cues.remove([1, 2])
   * await track.cues.remove('all')
   * ```
   */
  remove(numbers: number | readonly number[] | 'all'): Promise<OwnCue[]>
  /**
   * The own cues, also of a track that is not analysed.
   *
   * @example
   * ```ts
   * for (const { number, time, name } of await track.cues.own()) console.log(number, time, name)
   * ```
   */
  own(): Promise<OwnCue[]>
}

export function callOfCues(door: Door, id: string): TrackCuesCall {
  return Object.assign(() => door.call('track/cues', { id }), {
    set: async (cues: NewCue | readonly NewCue[]) =>
      (await door.call('track/own-cues-set', { id, cues: [cues].flat() })).own,
    remove: async (numbers: number | readonly number[] | 'all') => {
      const numberList = typeof numbers === 'object' ? [...numbers] : numbers
      return (await door.call('track/own-cues-remove', { id, numbers: numberList })).own
    },
    own: async () => (await door.call('track/own-cues', { id })).own,
  })
}

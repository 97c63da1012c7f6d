import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { type MixEnd, Mixing, type MixStep } from './mixing.ts'
import type { MixRoom } from './room.ts'
import { mixState } from './wish.ts'

/** The next tracks of a mix. */
export interface NextTracks {
  steps: MixStep[]
  /** What ended the mix after these tracks; absent while it can go on. */
  ended?: MixEnd
}

/**
 * `mix/next` (ours): the tracks that follow a state. The state of the mix after one of them is the
 * same with its id added to `played`.
 *
 * @throws {ParameterError} as `mix/create`
 */
export const next = method({
  name: 'mix/next',
  parameters: z.strictObject({
    /** The mix so far, as `mix/create` answered it, with the tracks that were played since. */
    state: mixState,
    /** Tracks at most, 1…100. Default 1. */
    results: z.int().min(1).max(100).default(1),
  }),
  async run(room: MixRoom, { state, results }, { signal }): Promise<NextTracks> {
    const mixing = new Mixing(room, state)
    const steps: MixStep[] = []
    while (steps.length < results) {
      await pause(signal)
      const step = mixing.next()
      if ('bound' in step) return { steps, ended: step }
      steps.push(step)
    }
    return { steps }
  },
})

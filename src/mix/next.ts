import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import type { MixEnd } from './ending.ts'
import { Mixing, type MixStep } from './mixing.ts'
import type { MixRoom } from './room.ts'
import { type MixState, mixState, type Seed } from './wish.ts'

/** The next tracks of a mix. */
export interface NextTracks {
  steps: MixStep[]
  /** Seeds of the state that do not exist any more; the mix goes on without them. */
  gone: readonly Seed[]
  /** What ended the mix after these tracks; absent while it can go on. */
  ended?: MixEnd
}

/**
 * `mix/next` (ours): the tracks that follow a state. The next state has their ids added to
 * `played`.
 *
 * @throws {ParameterError} `unknown_identifier` on a catalog to avoid that does not exist
 */
export const nextMixTracks = method({
  name: 'mix/next',
  parameters: z.strictObject({
    /** The mix so far, as `mix/create` answered it, with the tracks that were played since. */
    state: mixState,
    /** Tracks at most, 1…100. Default 1. */
    results: z.int().min(1).max(100).default(1),
  }),
  async run(room: MixRoom, { state, results }, { signal }): Promise<NextTracks> {
    await pause(signal)
    const keptMix = takeMixing(room, state)
    const { gone: goneSeeds } = keptMix.mixing
    const steps: MixStep[] = []
    for (;;) {
      const step = keptMix.mixing.nextStep()
      if ('bound' in step) return { steps, gone: goneSeeds, ended: step }
      if (steps.push(step) === results) break
      await pause(signal)
    }
    keepMixing(room, keptMix)
    return { steps, gone: goneSeeds }
  },
})

/** Mixes that go on where they were, so that a step does not read the library again. */
const MAX_KEPT_MIXES = 8

interface KeptMix {
  /** The state without what was played, as JSON. */
  mix: string
  /** The version of the database when the mixing was made. */
  library: string
  mixing: Mixing
}

const keptMixes = new WeakMap<MixRoom, KeptMix[]>()

function takeMixing(room: MixRoom, state: MixState): KeptMix {
  const roomMixes = keptMixes.get(room) ?? []
  const stateKey = JSON.stringify({ ...state, played: [] })
  const library = room.track.library.version()
  const index = roomMixes.findIndex(
    (candidate) =>
      candidate.mix === stateKey &&
      candidate.library === library &&
      candidate.mixing.isAt(state.played),
  )
  // It is taken out: two calls at once must not share it.
  const [keptMix] = index < 0 ? [] : roomMixes.splice(index, 1)
  if (keptMix) return keptMix
  const mixing = new Mixing(room, { ...state, played: [...state.played] })
  return { mix: stateKey, library, mixing }
}

function keepMixing(room: MixRoom, keptMix: KeptMix): void {
  const roomMixes = keptMixes.get(room) ?? []
  keptMixes.set(room, roomMixes)
  roomMixes.push(keptMix)
  if (roomMixes.length > MAX_KEPT_MIXES) roomMixes.shift()
}

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
  /** The seeds that the state names and that are not there any more; the mix goes on without them. */
  gone: readonly Seed[]
  /** What ended the mix after these tracks; absent while it can go on. */
  ended?: MixEnd
}

/**
 * `mix/next` (ours): the tracks that follow a state. The state of the mix after one of them is the
 * same with its id added to `played`. A seed that does not exist any more is left out.
 *
 * @throws {ParameterError} `unknown_identifier` on a catalog to avoid that does not exist
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
    await pause(signal)
    const kept = takeMixing(room, state)
    const { gone } = kept.mixing
    const steps: MixStep[] = []
    for (;;) {
      const step = kept.mixing.next()
      if ('bound' in step) return { steps, gone, ended: step }
      if (steps.push(step) === results) break
      await pause(signal)
    }
    keepMixing(room, kept)
    return { steps, gone }
  },
})

/** Mixes that go on where they were, so that a step does not read the library again. */
const MOST_KEPT = 8

interface Kept {
  /** All of its state but where it stands. */
  mix: string
  /** The version of the database that it has seen. */
  library: string
  mixing: Mixing
}

const keptOf = new WeakMap<MixRoom, Kept[]>()

/** The mix of a state: one that stands there and has seen all changes, or one that is made anew. */
function takeMixing(room: MixRoom, state: MixState): Kept {
  const all = keptOf.get(room) ?? []
  const mix = JSON.stringify({ ...state, played: [] })
  const library = room.track.library.version()
  const at = all.findIndex(
    (one) => one.mix === mix && one.library === library && one.mixing.isAt(state.played),
  )
  // It is taken out: two calls at once must not share it.
  const [kept] = at < 0 ? [] : all.splice(at, 1)
  if (kept) return kept
  const mixing = new Mixing(room, { ...state, played: [...state.played] })
  return { mix, library, mixing }
}

function keepMixing(room: MixRoom, kept: Kept): void {
  const all = keptOf.get(room) ?? []
  keptOf.set(room, all)
  all.push(kept)
  if (all.length > MOST_KEPT) all.shift()
}

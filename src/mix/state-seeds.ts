import type { MixRoom } from './room.ts'
import { resolveSeeds, type Seeds } from './seeds.ts'
import type { MixState, Seed } from './wish.ts'

export interface StateSeeds {
  seeds: Seeds
  less: Seeds
  skipped: Seeds
  away: ReadonlySet<number>
  origins: readonly number[]
  /** Seeds of the state that do not exist any more. */
  gone: readonly Seed[]
}

export function resolveState(room: MixRoom, state: MixState): StateSeeds {
  const { wish } = state
  const goneSeeds: Seed[] = []
  const less = resolveSeeds(room, [...wish.less, ...state.less], goneSeeds)
  const skipped = resolveSeeds(room, skippedSeeds(room, state))
  const away = new Set([...less.sounds, ...skipped.sounds].map(({ num }) => num))
  // What was added later may be played: only the wish says where the mix starts from.
  const origins = resolveSeeds(room, wish.seeds, []).tracks
  const seeds = withoutTracks(resolveSeeds(room, weightedSeeds(state), goneSeeds), away)
  return { seeds, less, skipped, away, origins, gone: goneSeeds }
}

/** All added seeds count as much as those of the wish together. */
function weightedSeeds({ wish, more }: MixState): Seed[] {
  const sumWeights = (seeds: readonly Seed[]) => seeds.reduce((sum, { weight }) => sum + weight, 0)
  const factor = wish.seeds.length === 0 ? 1 : sumWeights(wish.seeds) / sumWeights(more)
  return [...wish.seeds, ...more.map((seed) => ({ ...seed, weight: seed.weight * factor }))]
}

/** Those that are still in the library. */
function skippedSeeds({ track }: MixRoom, { skipped }: MixState): Seed[] {
  const vectors = track.space.vectors()
  const isKnown = (id: string) => vectors.has(track.library.numOf(id) ?? vectors.length)
  return skipped.filter(isKnown).map((id) => ({ id, weight: 1 }))
}

function withoutTracks(seeds: Seeds, away: ReadonlySet<number>): Seeds {
  return { ...seeds, sounds: seeds.sounds.filter(({ num }) => !away.has(num)) }
}

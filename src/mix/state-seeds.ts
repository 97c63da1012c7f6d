import type { MixRoom } from './room.ts'
import { type Seeds, seedsOf } from './seeds.ts'
import type { MixState, Seed } from './wish.ts'

/** What a state is near to, and keeps away from. */
export interface StateSeeds {
  seeds: Seeds
  less: Seeds
  skipped: Seeds
  /** Tracks to keep away from. */
  away: ReadonlySet<number>
  /** Tracks from which the mix starts. */
  origins: readonly number[]
  /** What the state names and is not there any more. */
  gone: readonly Seed[]
}

/** The seeds of a state, without those that are not there any more. */
export function seedsOfState(room: MixRoom, state: MixState): StateSeeds {
  const { wish } = state
  const gone: Seed[] = []
  const less = seedsOf(room, [...wish.less, ...state.less], gone)
  const skipped = seedsOf(room, skippedOf(room, state))
  const away = new Set([...less.sounds, ...skipped.sounds].map(({ num }) => num))
  // What was added later may be played: only the wish says where the mix starts from.
  const origins = seedsOf(room, wish.seeds, []).tracks
  const seeds = withoutTracks(seedsOf(room, seedsWith(state), gone), away)
  return { seeds, less, skipped, away, origins, gone }
}

/** The seeds of a mix; all that were added count as much as those of the wish together. */
function seedsWith({ wish, more }: MixState): Seed[] {
  const total = (seeds: readonly Seed[]) => seeds.reduce((sum, { weight }) => sum + weight, 0)
  const factor = wish.seeds.length === 0 ? 1 : total(wish.seeds) / total(more)
  return [...wish.seeds, ...more.map((seed) => ({ ...seed, weight: seed.weight * factor }))]
}

/** The skipped tracks that are still in the library. */
function skippedOf({ track }: MixRoom, { skipped }: MixState): Seed[] {
  const vectors = track.space.vectors()
  const isKnown = (id: string) => vectors.has(track.library.numOf(id) ?? vectors.length)
  return skipped.filter(isKnown).map((id) => ({ id, weight: 1 }))
}

/** A track that is to be kept away from is no seed any more. */
function withoutTracks(seeds: Seeds, away: ReadonlySet<number>): Seeds {
  return { ...seeds, sounds: seeds.sounds.filter(({ num }) => !away.has(num)) }
}

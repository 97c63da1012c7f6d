import { method } from '../kernel/method.ts'
import type { MixRoom } from './room.ts'
import { resolveSeeds } from './seeds.ts'
import { type MixState, type Wish, wish } from './wish.ts'

/**
 * `mix/create` (ours): checks a wish, and answers the state of a mix that has no track yet.
 *
 * @throws {ParameterError} `unknown_identifier` on a seed or catalog that does not exist;
 * `not_ready` on a seed whose tracks are not analysed
 */
export const createMix = method({
  name: 'mix/create',
  parameters: wish,
  run(room: MixRoom, checkedWish): MixState {
    const seed = checkedWish.seed ?? Math.floor(Math.random() * 2 ** 32)
    const state = { wish: checkedWish, seed, played: [], skipped: [], more: [], less: [] }
    checkWish(room, checkedWish)
    return state
  },
})

function checkWish(room: MixRoom, { seeds, less, avoid }: Wish): void {
  resolveSeeds(room, [seeds, less].flat())
  for (const { catalog } of [avoid].flat()) room.catalog.catalogs.findCatalog(catalog)
}

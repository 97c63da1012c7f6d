import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { name, nonEmpty } from '../options/parameter-types.ts'
import { parseInput } from '../options/validate.ts'
import { unpagedParameters } from '../track/search-parameters.ts'
import { invalidParameter } from '../values/errors.ts'
import type { MixRoom } from './room.ts'
import { wish } from './wish.ts'

/** A search or a mix that is kept, as it was given. */
export interface SavedSearch {
  name: string
  search?: z.input<typeof unpagedParameters>
  mix?: z.input<typeof wish>
}

/**
 * `mix/save` (ours): keeps a search or a mix in a catalog under a name. Without either, the one of
 * that name is removed.
 */
export const saveSearch = method({
  name: 'mix/save',
  parameters: z.strictObject({
    /** `CA…` */
    id: nonEmpty,
    /** What it is called in the catalog. */
    name,
    /** The parameters of `track/search`, without a page. */
    search: z.custom<SavedSearch['search']>(() => true).optional(),
    /** The parameters of `mix/create`. */
    mix: z.custom<SavedSearch['mix']>(() => true).optional(),
  }),
  run(room: MixRoom, { id, name, search, mix }, { caller }): { name: string } {
    const { catalogs, atomically } = room.catalog
    if (search !== undefined && mix !== undefined) {
      throw invalidParameter('mix', 'is given beside search; leave one of them out')
    }
    if (search !== undefined) parseInput(unpagedParameters, search, 'search')
    if (mix !== undefined) parseInput(wish, mix, 'mix')
    atomically(() => {
      const { num } = catalogs.findOwn(id, caller)
      const content = search !== undefined ? { search } : { mix }
      if ((search ?? mix) === undefined) catalogs.removeSearch(num, name)
      else catalogs.saveSearch({ catalog: num, name, content: JSON.stringify(content) })
    })
    return { name }
  },
})

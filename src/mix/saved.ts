import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import type { MixRoom } from './room.ts'
import type { SavedSearch } from './save.ts'

/** `mix/saved` (ours): the searches and mixes that a catalog keeps, by name. */
export const listSavedSearches = method({
  name: 'mix/saved',
  parameters: z.strictObject({
    /** `CA…` */
    id: nonEmpty,
  }),
  run({ catalog: { catalogs } }: MixRoom, { id }): SavedSearch[] {
    const { num } = catalogs.findCatalog(id)
    return catalogs.searches(num).map(({ name, content }) => ({ name, ...JSON.parse(content) }))
  },
})

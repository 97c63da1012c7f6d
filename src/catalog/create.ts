import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { newId } from '../values/ids.ts'
import { LONGEST_NAME } from '../values/text.ts'
import type { CatalogInfo } from './list.ts'
import type { CatalogRoom } from './room.ts'

/** `catalog/create`: makes an empty catalog. */
export const createCatalog = method({
  name: 'catalog/create',
  verbs: ['POST'],
  parameters: z.strictObject({
    /** Unique among the catalogs of the key; at most 512 characters. */
    name: nonEmpty.max(LONGEST_NAME),
    /** Whether its items are songs or artists. */
    type: z.enum(['artist', 'song']),
  }),
  run(
    { atomically, catalogs, config, now }: CatalogRoom,
    { name, type },
    { caller },
  ): Omit<CatalogInfo, 'total'> {
    const { limits } = config
    const id = newId('catalog', now())
    atomically(() => {
      if (catalogs.byName(caller.id, name)) {
        throw invalidParameter(
          'name',
          `${JSON.stringify(name)} is the name of another catalog of this key; choose another name`,
        )
      }
      if (!caller.commercial && catalogs.count(caller.id) >= limits.keyCatalogs) {
        throw new ParameterError(
          'limit_exceeded',
          `A key that is not commercial may have the ${limits.keyCatalogs} catalogs of limits.keyCatalogs; delete one, or use a commercial key`,
        )
      }
      catalogs.add({ id, keyId: caller.id, name, type, now: now() })
    })
    return { id, name, type }
  },
})

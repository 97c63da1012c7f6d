import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { updatePopularitySoon } from './popularity-job.ts'
import { type CatalogRoom, UPDATE_JOB } from './room.ts'

/** `catalog/delete`: deletes a catalog with all its items. Its tickets become unknown. */
export const deleteCatalog = method({
  name: 'catalog/delete',
  verbs: ['POST'],
  parameters: z.strictObject({
    /** `CA…` */
    id: nonEmpty,
  }),
  run(room: CatalogRoom, params, { caller }): { id: string; name: string } {
    const { atomically, catalogs, tickets, changes } = room
    const [{ id, name }, unfinished] = atomically(() => {
      const catalog = catalogs.findOwn(params.id, caller)
      const unfinished = tickets.unfinished(catalog.num)
      for (const ticket of unfinished) room.cancel(UPDATE_JOB, ticket.id)
      catalogs.markDeleted(catalog.num)
      // The popularity job removes the contents of the catalog.
      updatePopularitySoon(room)
      return [catalog, unfinished] as const
    })
    for (const ticket of unfinished) changes.wakeWaits(ticket.id)
    return { id, name }
  },
})

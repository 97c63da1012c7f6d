import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findOwn } from './find-catalog.ts'
import { reckonSoon } from './popularity-job.ts'
import { type CatalogRoom, UPDATE_JOB } from './room.ts'

const parameters = z.strictObject({
  /** `CA…` */
  id: z.string().min(1),
})

/**
 * `catalog/delete`: deletes a catalog with all its items. Its tickets are unknown from then on.
 *
 * @throws {ParameterError} `unknown_identifier`
 * @throws {KeyError} `not_allowed` unless it was made with the caller's key
 */
export const remove = method({
  name: 'catalog/delete',
  verbs: ['POST'],
  parameters,
  run(context: CatalogRoom, given, { caller }): { id: string; name: string } {
    const { store, cancel, changes } = context
    const tickets: string[] = []
    const { id, name } = store.atomically(() => {
      const catalog = findOwn(store, given.id, caller)
      for (const ticket of store.unfinished(catalog.num)) {
        cancel(UPDATE_JOB, ticket.id)
        tickets.push(ticket.id)
      }
      store.remove(catalog.num)
      reckonSoon(context)
      return catalog
    })
    for (const ticket of tickets) changes.poke(ticket)
    return { id, name }
  },
})

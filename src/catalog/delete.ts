import { z } from 'zod'
import type { Call } from '../call.ts'
import { type CatalogContext, UPDATE_JOB } from './context.ts'
import { findOwn } from './find-catalog.ts'
import { reckonSoon } from './popularity-job.ts'

export const parameters = z.strictObject({ id: z.string().min(1) })

/**
 * `catalog/delete`: deletes a catalog with all its items. Its tickets are unknown from then on.
 *
 * @throws {ParameterError} `unknown_identifier`
 * @throws {KeyError} `not_allowed` unless it was made with the caller's key
 */
export function remove(
  context: CatalogContext,
  given: z.output<typeof parameters>,
  { caller }: Call,
): { id: string; name: string } {
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
}

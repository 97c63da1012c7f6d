import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { exactlyOne, nonEmpty } from '../options/parameter-types.ts'
import { unknownIdentifier } from '../values/errors.ts'
import { LONGEST_NAME } from '../values/text.ts'
import type { CatalogInfo } from './list.ts'
import type { CatalogRoom } from './room.ts'

/** A catalog and its unfinished updates. */
export interface CatalogProfile extends CatalogInfo {
  /** Items whose song or artist was found. */
  resolved: number
  /** The tickets of unfinished updates. */
  pendingTickets: string[]
}

/** `catalog/profile`: a catalog, by id or by name. */
export const readProfile = method({
  name: 'catalog/profile',
  verbs: ['GET'],
  parameters: z
    .strictObject({
      /** `CA…` */
      id: nonEmpty.optional(),
      /** The name of a catalog of the calling key. */
      name: nonEmpty.max(LONGEST_NAME).optional(),
    })
    .superRefine(exactlyOne(['id', 'name'], 'id', 'give id or name')),
  run({ catalogs, items, tickets }: CatalogRoom, params, { caller }): CatalogProfile {
    const { id: wantedId, name: wantedName = '' } = params
    const row =
      wantedId === undefined
        ? catalogs.byName(caller.id, wantedName)
        : catalogs.findCatalog(wantedId)
    if (!row) throw unknownIdentifier(wantedName)
    const { num, id, name, type, total } = row
    const resolved = items.countResolved({ num, type }) ?? 0
    const pendingTickets = tickets.unfinished(num).map((ticket) => ticket.id)
    return { id, name, type, total, resolved, pendingTickets }
  },
})

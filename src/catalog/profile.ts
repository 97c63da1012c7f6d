import { z } from 'zod'
import { invalidParameter, missingParameter, unknownIdentifier } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../parameter-types.ts'
import { LONGEST_NAME } from '../text.ts'
import type { CatalogRow, CatalogStore } from './catalog-store.ts'
import type { CatalogType } from './item.ts'
import type { CatalogRoom } from './room.ts'

const parameters = z.strictObject({
  /** `CA…` */
  id: nonEmpty.optional(),
  /** The name of a catalog of the calling key. */
  name: nonEmpty.max(LONGEST_NAME).optional(),
})

/** A catalog and its unfinished updates. */
export interface CatalogProfile {
  /** `CA…` */
  id: string
  /** Unique among the catalogs of its key. */
  name: string
  /** Whether its items are songs or artists. */
  type: CatalogType
  /** Items in it. */
  total: number
  /** Items whose song or artist was found. */
  resolved: number
  /** The tickets of updates that are not at their end. */
  pendingTickets: string[]
}

/**
 * `catalog/profile`: a catalog, by id or by name.
 *
 * @throws {ParameterError} `missing_parameter` or `invalid_parameter` unless exactly one is given;
 * `unknown_identifier`
 */
export const profile = method({
  name: 'catalog/profile',
  verbs: ['GET'],
  parameters,
  run({ catalogs, items, tickets }: CatalogRoom, given, { caller }): CatalogProfile {
    const { num, id, name, type, total } = find(catalogs, given, caller.id)
    const resolved = items.countResolved({ num, type }) ?? 0
    const pendingTickets = tickets.unfinished(num).map((ticket) => ticket.id)
    return { id, name, type, total, resolved, pendingTickets }
  },
})

function find(
  catalogs: CatalogStore,
  { id, name }: z.output<typeof parameters>,
  keyId: string,
): CatalogRow {
  if (id !== undefined && name !== undefined) {
    throw invalidParameter('name', `${JSON.stringify(name)} beside an id; give one of them`)
  }
  if (id !== undefined) return catalogs.find(id)
  if (name === undefined) throw missingParameter('id', 'give id or name')
  const row = catalogs.byName(keyId, name)
  if (row) return row
  throw unknownIdentifier(name)
}

import { z } from 'zod'
import { invalidParameter, missingParameter, unknownIdentifier } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { LONGEST_NAME } from '../text.ts'
import { findCatalog } from './find-catalog.ts'
import type { CatalogType } from './item.ts'
import type { CatalogRoom } from './room.ts'
import type { CatalogRow, CatalogStore } from './store.ts'

const parameters = z.strictObject({
  /** `CA…` */
  id: z.string().min(1).optional(),
  /** The name of a catalog of the calling key. */
  name: z.string().min(1).max(LONGEST_NAME).optional(),
})

/** What is known of a catalog. */
export interface CatalogProfile {
  /** `CA…` */
  id: string
  /** Unique among those of its key. */
  name: string
  /** Whether its items are songs or artists. */
  type: CatalogType
  /** Items in it. */
  total: number
  /** Items that are known to be a song or an artist. */
  resolved: number
  /** Updates that are still in process. */
  pendingTickets: string[]
}

/**
 * `catalog/profile`: what is known of a catalog, by id or by name.
 *
 * @throws {ParameterError} `missing_parameter` or `invalid_parameter` unless exactly one is given;
 * `unknown_identifier`
 */
export const profile = method({
  name: 'catalog/profile',
  verbs: ['GET'],
  parameters,
  run({ store }: CatalogRoom, given, { caller }): CatalogProfile {
    const row = named(store, given, caller.id)
    const { id, name, type, total } = row
    return {
      id,
      name,
      type,
      total,
      resolved: store.countResolved(row),
      pendingTickets: store.unfinished(row.num).map((ticket) => ticket.id),
    }
  },
})

function named(
  store: CatalogStore,
  { id, name }: z.output<typeof parameters>,
  keyId: string,
): CatalogRow {
  if (id !== undefined && name !== undefined) {
    throw invalidParameter('name', `${JSON.stringify(name)} beside an id; give one of them`)
  }
  if (id !== undefined) return findCatalog(store, id)
  if (name === undefined) {
    throw missingParameter('id', 'give id or name')
  }
  const row = store.byName(keyId, name)
  if (row) return row
  throw unknownIdentifier(name)
}

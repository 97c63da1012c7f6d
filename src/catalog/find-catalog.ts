import { KeyError, unknownIdentifier } from '../errors.ts'
import type { Caller } from '../kernel/method.ts'
import type { CatalogRow, CatalogStore, TicketRow } from './store.ts'

/**
 * The catalog of an id.
 *
 * @throws {ParameterError} `unknown_identifier`
 */
export function findCatalog(store: CatalogStore, id: string): CatalogRow {
  const row = store.byId(id)
  if (row) return row
  throw unknownIdentifier(id)
}

/**
 * The catalog of an id, for one who changes it.
 *
 * @throws {ParameterError} `unknown_identifier`
 * @throws {KeyError} `not_allowed` unless it was made with the caller's key
 */
export function findOwn(store: CatalogStore, id: string, caller: Caller): CatalogRow {
  const row = findCatalog(store, id)
  if (row.keyId === caller.id) return row
  throw new KeyError(
    'not_allowed',
    `id - Not allowed: the catalog ${id} was made with another api key; only that one may change it`,
  )
}

/** The update of a ticket, as far as its caller has completed it; others are unknown. */
export function findTicket(store: CatalogStore, id: string): TicketRow | undefined {
  const row = store.ticket(id)
  return row?.state === 'open' ? undefined : row
}

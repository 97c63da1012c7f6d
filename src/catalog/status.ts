import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTicket } from './find-catalog.ts'
import type { CatalogRoom } from './room.ts'
import type { CatalogStore, TicketRow } from './store.ts'

/** Items with issues that are answered; a catalog may have 100,000. */
const MOST_INFOS = 10_000

const parameters = z.strictObject({
  /** As `catalog/update` answered it. */
  ticket: z.string().min(1),
})

/** The states of a ticket. */
export type TicketState = 'unknown' | 'pending' | 'complete' | 'error'

/** How far an update has come. */
export interface TicketStatus {
  /** `pending` until it is `complete`; `error` when nothing of it could be done. */
  ticketStatus: TicketState
  /** Entries of the update. */
  totalItems?: number
  /** How many of them were gone through; bad ones count. */
  itemsUpdated?: number
  /** 0..100, of applying and resolving together. */
  percentComplete?: number
  /** Items that had issues, at most 10,000. */
  updateInfo?: {
    /** The item's, where the entry had one. */
    itemId?: string
    /** What is wrong with it, naming the field. */
    info: string
  }[]
  /** Why nothing of it could be done; with `error`. */
  details?: string
}

/** `catalog/status`: how far an update has come. */
export const status = method({
  name: 'catalog/status',
  verbs: ['GET'],
  parameters,
  run({ store }: CatalogRoom, given): TicketStatus {
    const ticket = findTicket(store, given.ticket)
    return ticket ? statusOf(store, ticket) : { ticketStatus: 'unknown' }
  },
})

/** The answer for a stored ticket. */
export function statusOf(store: CatalogStore, ticket: TicketRow): TicketStatus {
  const { totalItems, applied, details } = ticket
  const ticketStatus = stateOf(ticket)
  const updateInfo = store
    .infos(ticket, MOST_INFOS)
    .map(({ itemId, info }) => (itemId === null ? { info } : { itemId, info }))
  if (ticketStatus === 'error') {
    return { ticketStatus, details: details ?? '', ...(updateInfo.length > 0 && { updateInfo }) }
  }
  const percentComplete = percentOf(ticket)
  return { ticketStatus, totalItems, itemsUpdated: applied, percentComplete, updateInfo }
}

/** The state of an update that was accepted. */
export function stateOf({ state }: TicketRow): Exclude<TicketState, 'unknown'> {
  return state === 'error' || state === 'complete' ? state : 'pending'
}

/** 0..100: half of it is applying, half resolving; how much that is is not known before. */
export function percentOf({ state, totalItems, applied, toResolve, resolved }: TicketRow): number {
  if (state === 'complete') return 100
  if (state !== 'applied') return totalItems === 0 ? 0 : (50 * applied) / totalItems
  return toResolve === 0 ? 99 : Math.min(50 + (50 * resolved) / toResolve, 99.9)
}

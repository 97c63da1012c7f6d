import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { known } from '../values/known.ts'
import type { CatalogRoom } from './room.ts'
import type { TicketRow, TicketStore } from './ticket-store.ts'

/** An update may have 100,000 bad entries. */
const MAX_INFOS = 10_000

/** The states of a ticket. */
export type TicketState = 'unknown' | 'pending' | 'complete' | 'error'

/** The progress of an update. */
export interface TicketStatus {
  /** `pending` until it is `complete`; `error` when it could not be applied. */
  ticketStatus: TicketState
  /** Entries of the update. */
  totalItems?: number
  /** Entries that were applied, or refused. */
  itemsUpdated?: number
  /** 0..100: half for applying, half for resolving. */
  percentComplete?: number
  /** Problems with entries: at most 10,000. */
  updateInfo?: {
    /** The item's id, where the entry had one. */
    itemId?: string
    /** The problem, with the name of the field. */
    info: string
  }[]
  /** Why the update failed; with `error`. */
  details?: string
}

/** `catalog/status`: the progress of an update. */
export const readStatus = method({
  name: 'catalog/status',
  verbs: ['GET'],
  parameters: z.strictObject({
    /** As `catalog/update` answered it. */
    ticket: nonEmpty,
  }),
  run: ({ tickets }: CatalogRoom, { ticket }): TicketStatus =>
    ticketStatusOf(tickets, findTicket(tickets, ticket)),
})

/** `catalog/wait` (ours): waits until an update has ended, or has made progress. */
export const awaitProgress = method({
  name: 'catalog/wait',
  parameters: z.strictObject({
    /** As `catalog/update` answered it. */
    ticket: nonEmpty,
    /** The percentage above which it answers, 0…100. Default: it answers at the end. */
    beyond: z.number().optional(),
  }),
  run(
    { changes, tickets }: CatalogRoom,
    { ticket: id, beyond = 100 },
    call,
  ): Promise<TicketStatus> {
    return changes.waitUntil(id, call.signal, () => {
      const ticket = findTicket(tickets, id)
      const isDue = !ticket || ticketStateOf(ticket) !== 'pending' || percentOf(ticket) > beyond
      return isDue ? ticketStatusOf(tickets, ticket) : undefined
    })
  },
})

/** `undefined` until its last part has arrived. */
function findTicket(tickets: TicketStore, id: string): TicketRow | undefined {
  const ticket = tickets.byId(id)
  return ticket?.state === 'open' ? undefined : ticket
}

function ticketStatusOf(tickets: TicketStore, ticket: TicketRow | undefined): TicketStatus {
  if (!ticket) return { ticketStatus: 'unknown' }
  const { num, totalItems, applied, details } = ticket
  const ticketStatus = ticketStateOf(ticket)
  const updateInfo = tickets.infos(num, MAX_INFOS).map(known)
  if (ticketStatus === 'error') {
    return { ticketStatus, details: details ?? '', ...(updateInfo.length > 0 && { updateInfo }) }
  }
  const percentComplete = percentOf(ticket)
  return { ticketStatus, totalItems, itemsUpdated: applied, percentComplete, updateInfo }
}

export function ticketStateOf({ state }: TicketRow): Exclude<TicketState, 'unknown'> {
  return state === 'error' || state === 'complete' ? state : 'pending'
}

// How many items to resolve is known only after all entries are applied.
function percentOf({ state, totalItems, applied, toResolve, resolved }: TicketRow): number {
  if (state === 'complete') return 100
  if (state !== 'applied') return totalItems === 0 ? 0 : (50 * applied) / totalItems
  return toResolve === 0 ? 99 : Math.min(50 + (50 * resolved) / toResolve, 99.9)
}

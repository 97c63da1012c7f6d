import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { known } from '../values/known.ts'
import type { CatalogRoom } from './room.ts'
import type { TicketRow, TicketStore } from './ticket-store.ts'

/** Sentences about entries in an answer; an update may have 100,000 bad entries. */
const MOST_INFOS = 10_000

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
export const status = method({
  name: 'catalog/status',
  verbs: ['GET'],
  parameters: z.strictObject({
    /** As `catalog/update` answered it. */
    ticket: nonEmpty,
  }),
  run: ({ tickets }: CatalogRoom, { ticket }): TicketStatus =>
    statusOf(tickets, find(tickets, ticket)),
})

/** `catalog/wait` (ours): waits until an update has ended, or has made progress. */
export const wait = method({
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
      const ticket = find(tickets, id)
      const isDue = !ticket || stateOf(ticket) !== 'pending' || percentOf(ticket) > beyond
      return isDue ? statusOf(tickets, ticket) : undefined
    })
  },
})

/** Finds an update; `undefined` until its last part has arrived. */
function find(tickets: TicketStore, id: string): TicketRow | undefined {
  const ticket = tickets.byId(id)
  return ticket?.state === 'open' ? undefined : ticket
}

function statusOf(tickets: TicketStore, ticket: TicketRow | undefined): TicketStatus {
  if (!ticket) return { ticketStatus: 'unknown' }
  const { num, totalItems, applied, details } = ticket
  const ticketStatus = stateOf(ticket)
  const updateInfo = tickets.infos(num, MOST_INFOS).map(known)
  if (ticketStatus === 'error') {
    return { ticketStatus, details: details ?? '', ...(updateInfo.length > 0 && { updateInfo }) }
  }
  const percentComplete = percentOf(ticket)
  return { ticketStatus, totalItems, itemsUpdated: applied, percentComplete, updateInfo }
}

export function stateOf({ state }: TicketRow): Exclude<TicketState, 'unknown'> {
  return state === 'error' || state === 'complete' ? state : 'pending'
}

// The number of items to resolve is only known after all entries are applied.
function percentOf({ state, totalItems, applied, toResolve, resolved }: TicketRow): number {
  if (state === 'complete') return 100
  if (state !== 'applied') return totalItems === 0 ? 0 : (50 * applied) / totalItems
  return toResolve === 0 ? 99 : Math.min(50 + (50 * resolved) / toResolve, 99.9)
}

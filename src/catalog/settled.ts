import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { findTicket } from './find-catalog.ts'
import type { CatalogRoom } from './room.ts'
import { percentOf, stateOf, status, type TicketStatus } from './status.ts'

const parameters = z.strictObject({
  /** As `catalog/update` answered it. */
  ticket: z.string().min(1),
  /** The percentage above which it answers, 0…100. Default: it answers at the end. */
  beyond: z.number().optional(),
})

/** `catalog/settled` (ours): waits until an update is at its end, or further than it was. */
export const settled = method({
  name: 'catalog/settled',
  parameters,
  async run(context: CatalogRoom, { ticket, beyond }, call): Promise<TicketStatus> {
    return context.changes.until(ticket, call.signal, () => {
      const row = findTicket(context.store, ticket)
      const isDue =
        !row || stateOf(row) !== 'pending' || (beyond !== undefined && percentOf(row) > beyond)
      return isDue ? status.run(context, { ticket }, call) : undefined
    })
  },
})

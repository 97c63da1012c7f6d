import { z } from 'zod'
import type { Call } from '../call.ts'
import type { CatalogContext } from './context.ts'
import { findTicket } from './find-catalog.ts'
import { percentOf, stateOf, status, type TicketStatus } from './status.ts'

export const parameters = z.strictObject({
  ticket: z.string().min(1),
  /** Answer as soon as it is further than this, 0..100; else when it is at its end. */
  beyond: z.number().optional(),
})

/** `catalog/settled` (ours): waits until an update is at its end, or further than it was. */
export async function settled(
  context: CatalogContext,
  { ticket, beyond }: z.output<typeof parameters>,
  { signal }: Call,
): Promise<TicketStatus> {
  for (;;) {
    signal.throwIfAborted()
    const row = findTicket(context.store, ticket)
    if (!row || stateOf(row) !== 'pending') break
    if (beyond !== undefined && percentOf(row) > beyond) break
    await context.changes.next(ticket, signal)
  }
  return status(context, { ticket })
}

import { z } from 'zod'
import { invalidParameter, unknownIdentifier } from '../errors.ts'
import { newTicket } from '../ids.ts'
import { method } from '../kernel/method.ts'
import { findOwn } from './find-catalog.ts'
import type { EntryInput } from './item.ts'
import { type CatalogRoom, UPDATE_JOB } from './room.ts'
import type { CatalogRow, TicketRow } from './store.ts'

/** Entries in one call; the typed classes part longer updates. */
const MOST = 1000
/** Entries that are stored, and read again, together: about what one step applies. */
const BATCH = 250

const parameters = z.strictObject({
  /** `CA…` */
  id: z.string().min(1),
  /** The format of `data` over HTTP. */
  dataType: z.enum(['json']).optional(),
  // Each is checked by itself when it is applied: one that is bad must not cost the others.
  /** Entries, at most 1,000. */
  data: z.array(z.custom<EntryInput>(() => true)).max(MOST),
  /** The ticket of an update in parts, as its first call answered it. */
  ticket: z.string().min(1).optional(),
  /** Whether more parts follow. Nothing is applied until the last one is there. Default false. */
  more: z.boolean().default(false),
  /** Whether local files at the `url` of items are analysed, to identify them by sound. Default false. */
  analyze: z.boolean().default(false),
})

/**
 * `catalog/update`: takes in entries, to be applied in order and resolved. What was answered is
 * durable: after a crash every entry is applied exactly once.
 *
 * @throws {ParameterError} `unknown_identifier` for the catalog, or a ticket that takes no more
 * @throws {KeyError} `not_allowed` unless the catalog was made with the caller's key
 */
export const update = method({
  name: 'catalog/update',
  verbs: ['POST'],
  local: ['ticket', 'more', 'analyze'],
  parameters,
  run(context: CatalogRoom, given, { caller }): { ticket: string } {
    const { store, now, enqueue } = context
    const takeIn = () => {
      const catalog = findOwn(store, given.id, caller)
      const ticket =
        given.ticket === undefined
          ? begin(context, catalog, given)
          : open(context, catalog, given.ticket)
      for (let i = 0; i < given.data.length; i += BATCH) {
        const batch = given.data.slice(i, i + BATCH)
        store.addBatch(ticket, JSON.stringify(batch, plain), batch.length)
      }
      if (!given.more) {
        store.accept(ticket, now())
        enqueue({ kind: UPDATE_JOB, subject: ticket.id })
      }
      return { ticket: ticket.id }
    }
    // What makes the last part safe on the disk makes those before it so.
    return given.more ? store.atomically.step(takeIn) : store.atomically(takeIn)
  },
})

function begin(
  { store, now }: CatalogRoom,
  { num }: CatalogRow,
  { analyze }: z.output<typeof parameters>,
): TicketRow {
  const id = newTicket()
  store.addTicket({ id, catalog: num, analyze, now: now() })
  return store.ticket(id) as TicketRow
}

function open({ store }: CatalogRoom, { num }: CatalogRow, id: string): TicketRow {
  const ticket = store.ticket(id)
  if (!ticket || ticket.catalog !== num) throw unknownIdentifier(id)
  if (ticket.state === 'open') return ticket
  throw invalidParameter(
    'ticket',
    `"${id}" is of an update that was given whole; begin another one`,
  )
}

/**
 * JSON has neither NaN nor infinity: as `null` they would clear the field. NaN is how tables write
 * that a value is missing; infinity as text is told to be no number.
 */
function plain(_key: string, value: unknown): unknown {
  if (Number.isNaN(value)) return undefined
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'bigint' ? String(value) : value
}

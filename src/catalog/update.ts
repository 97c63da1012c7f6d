import { z } from 'zod'
import type { Handler } from '../kernel/jobs/handler.ts'
import { method } from '../kernel/method.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { invalidParameter, unknownIdentifier } from '../values/errors.ts'
import { newTicket } from '../values/ids.ts'
import { applyBatch, wouldFit } from './apply.ts'
import type { CatalogRow } from './catalog-store.ts'
import type { EntryInput } from './item.ts'
import { updatePopularitySoon } from './popularity-job.ts'
import { resolveItems } from './resolve-items.ts'
import { retrySoon } from './retry-job.ts'
import { type CatalogRoom, UPDATE_JOB } from './room.ts'
import { stateOf } from './status.ts'
import type { TicketRow } from './ticket-store.ts'

const MOST = 1000
/** Entries that are stored and read together: about as many as one step applies. */
const BATCH = 250
const ITEMS = 512
/** Updates that run at once, so that a play does not wait until a library is resolved. */
const AT_ONCE = 4

const parameters = z.strictObject({
  /** `CA…` */
  id: nonEmpty,
  /** The format of `data` over HTTP. */
  dataType: z.enum(['json']).optional(),
  /** Entries, at most 1,000. Each is checked when applied: a bad one does not affect others. */
  data: z.array(z.custom<EntryInput>(() => true)).max(MOST),
  /** The ticket of an update in parts, as its first call answered it. */
  ticket: nonEmpty.optional(),
  /** Whether more parts follow. Nothing is applied until the last one arrived. Default false. */
  more: z.boolean().default(false),
  /** Whether local files at the `url` of items are analysed, to identify them by sound. Default false. */
  analyze: z.boolean().default(false),
})

/**
 * `catalog/update`: accepts entries, which are then applied in order and resolved. Accepted entries
 * are durable: even after a crash, each is applied exactly once.
 */
export const update = method({
  name: 'catalog/update',
  verbs: ['POST'],
  local: ['ticket', 'more', 'analyze'],
  parameters,
  run(room: CatalogRoom, given, { caller }): { ticket: string } {
    const { atomically, catalogs, tickets } = room
    // The commit of the last part makes those before it durable too.
    const write = given.more ? atomically.step : atomically
    return write(() => {
      const catalog = catalogs.findOwn(given.id, caller)
      const { num, id } = ticketOf(room, catalog, given)
      for (let i = 0; i < given.data.length; i += BATCH) {
        const batch = given.data.slice(i, i + BATCH)
        tickets.addBatch(num, JSON.stringify(batch, asJson), batch.length)
      }
      if (!given.more) {
        tickets.accept({ num, catalog: catalog.num, now: room.now() })
        room.enqueue({ kind: UPDATE_JOB, subject: id })
      }
      return { ticket: id }
    })
  },
})

function ticketOf(
  { tickets, now }: CatalogRoom,
  { num: catalog }: CatalogRow,
  { ticket: earlier, analyze }: z.output<typeof parameters>,
): { num: number; id: string } {
  if (earlier === undefined) {
    const id = newTicket()
    const added = tickets.add({ id, catalog, analyze: analyze ? 1 : 0, now: now() })
    return { id, num: Number(added.lastInsertRowid) }
  }
  const ticket = tickets.byId(earlier)
  if (ticket?.catalog !== catalog) throw unknownIdentifier(earlier)
  if (ticket.state === 'open') return ticket
  throw invalidParameter(
    'ticket',
    `"${earlier}" belongs to an update whose last part has come; begin another update`,
  )
}

/**
 * JSON has neither NaN nor infinity: as `null` they would clear a field. They become texts, which are
 * rejected as numbers. Tables write NaN for a missing text too; an empty list is rejected for both.
 */
function asJson(key: string, value: unknown): unknown {
  if (key === 'item' && typeof value === 'object' && value !== null) {
    const isNone = (one: unknown) =>
      Number.isNaN(Array.isArray(one) && one.length === 1 ? one[0] : one)
    const fields = Object.entries(value)
    return Object.fromEntries(fields.map(([name, one]) => [name, isNone(one) ? [] : one]))
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'bigint' ? String(value) : value
}

/**
 * The job that completes an update. Updates of a catalog are applied in the order in which
 * they were accepted, so it applies those before it too.
 */
export function updateJob(room: CatalogRoom): Handler {
  return {
    kind: UPDATE_JOB,
    concurrency: AT_ONCE,
    again: 'Send the entries that were not applied again.',
    async run({ subject }, { signal, progressed }) {
      let ticket = nextToGoOn(room, subject)
      while (ticket && (await takeStep(room, ticket, signal))) {
        room.changes.wakeWaits(ticket.id)
        progressed()
        await jobTurn(signal)
        ticket = nextToGoOn(room, subject)
      }
      return () => complete(room, subject)
    },
    failed: ({ subject }, error) => giveUp(room, subject, error),
    settled: ({ subject }) => tell(room, subject),
  }
}

/** The update, or the first one before it in its catalog that is not applied yet. */
function nextToGoOn({ tickets }: CatalogRoom, id: string): TicketRow | undefined {
  const ticket = tickets.byId(id)
  if (ticket?.state !== 'accepted' && ticket?.state !== 'checked') return ticket
  return tickets.firstUnapplied(ticket.catalog)
}

/**
 * Runs one step of the current stage of an update. Each step is written in one transaction with its
 * progress, so the next step can run after a crash, or in another process.
 *
 * @returns whether there was anything left to do
 */
async function takeStep(
  room: CatalogRoom,
  ticket: TicketRow,
  signal: AbortSignal,
): Promise<boolean> {
  switch (ticket.state) {
    case 'accepted':
      await check(room, ticket, signal)
      return true
    case 'checked':
      apply(room, ticket)
      return true
    case 'applied':
      return resolve(room, ticket, signal)
    default:
      return false
  }
}

/** First stage: checks whether the catalog has room for the whole update. */
async function check(room: CatalogRoom, ticket: TicketRow, signal: AbortSignal): Promise<void> {
  const { tickets } = room
  const most = room.config.limits.catalogItems
  const fits = await wouldFit(room, ticket, most, signal)
  room.atomically.step(() => {
    // Another process may have checked it meanwhile, and continued.
    if (tickets.byId(ticket.id)?.state !== 'accepted') return
    if (fits) tickets.setState('checked', ticket.num)
    else {
      tickets.fail(
        ticket.num,
        `The catalog would hold more than the ${most} items of limits.catalogItems; nothing of this update was applied. Delete items first, or use another catalog.`,
      )
    }
  })
}

/** Second stage: writes entries to the catalog, from where the step before ended. */
function apply({ atomically, catalogs, items, tickets }: CatalogRoom, { num }: TicketRow): void {
  atomically.step(() => {
    const ticket = tickets.byNum(num)
    // Another process may have applied it meanwhile.
    if (ticket?.state !== 'checked') return
    applyBatch({ catalogs, items, tickets, ticket })
    if (tickets.batch(num, 0)) return
    const { totalItems = 0, updated = 0 } = tickets.byNum(num) ?? {}
    if (totalItems === 0 || updated > 0) tickets.setApplied({ num })
    else tickets.fail(num, 'None of the entries could be applied; the reason is given for each.')
  })
}

/** Third stage: finds the songs and artists of some of its items; false when none is left. */
async function resolve(
  room: CatalogRoom,
  { num }: TicketRow,
  signal: AbortSignal,
): Promise<boolean> {
  const items = room.items.pending(num, ITEMS)
  if (items.length === 0) return false
  await resolveItems(room, items, signal)
  return true
}

function complete(room: CatalogRoom, id: string): void {
  const ticket = room.tickets.byId(id)
  if (ticket?.state !== 'applied') return
  room.tickets.setState('complete', ticket.num)
  // Songs may have been added after an item was tried.
  retrySoon(room)
  if (ticket.updated > 0) updatePopularitySoon(room)
}

function giveUp(room: CatalogRoom, id: string, error: Error): void {
  const ticket = room.tickets.byId(id)
  if (!ticket) return
  const { num, applied, totalItems } = ticket
  const done = `${applied} of ${totalItems} entries were applied before.`
  room.tickets.fail(num, `${error.message} ${done}`)
  retrySoon(room)
}

function tell({ changes, tickets, emit }: CatalogRoom, id: string): void {
  changes.wakeWaits(id)
  const ticket = tickets.byId(id)
  if (ticket) emit('ticket', { id, status: stateOf(ticket) })
}

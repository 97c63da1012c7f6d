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
import { ticketStateOf } from './status.ts'
import type { TicketRow } from './ticket-store.ts'

const MAX_ENTRIES = 1000
/** Stored and read together: about as many as one step applies. */
const BATCH_ENTRIES = 250
const RESOLVED_ITEMS = 512
/** So that a play does not wait until a library is resolved. */
const CONCURRENT_UPDATES = 4

const updateParameters = z.strictObject({
  /** `CA…` */
  id: nonEmpty,
  /** The format of `data` over HTTP. */
  dataType: z.enum(['json']).optional(),
  /** Entries, at most 1,000. Each is checked when applied: a bad one does not affect others. */
  data: z.array(z.custom<EntryInput>(() => true)).max(MAX_ENTRIES),
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
export const updateCatalog = method({
  name: 'catalog/update',
  verbs: ['POST'],
  local: ['ticket', 'more', 'analyze'],
  parameters: updateParameters,
  run(room: CatalogRoom, params, { caller }): { ticket: string } {
    const { atomically, catalogs, tickets } = room
    // The commit of the last part makes those before it durable too.
    const commit = params.more ? atomically.step : atomically
    return commit(() => {
      const catalog = catalogs.findOwn(params.id, caller)
      const { num, id } = ticketOf(room, catalog, params)
      for (let i = 0; i < params.data.length; i += BATCH_ENTRIES) {
        const batch = params.data.slice(i, i + BATCH_ENTRIES)
        tickets.addBatch(num, JSON.stringify(batch, toStorable), batch.length)
      }
      if (!params.more) {
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
  { ticket: earlierTicket, analyze }: z.output<typeof updateParameters>,
): { num: number; id: string } {
  if (earlierTicket === undefined) {
    const id = newTicket()
    const added = tickets.add({ id, catalog, analyze: analyze ? 1 : 0, now: now() })
    return { id, num: Number(added.lastInsertRowid) }
  }
  const ticket = tickets.byId(earlierTicket)
  if (ticket?.catalog !== catalog) throw unknownIdentifier(earlierTicket)
  if (ticket.state === 'open') return ticket
  throw invalidParameter(
    'ticket',
    `"${earlierTicket}" belongs to an update whose last part has come; begin another update`,
  )
}

/** NaN and infinity become texts, which are rejected; as `null` they would clear a field. */
function toStorable(key: string, value: unknown): unknown {
  if (key === 'item' && typeof value === 'object' && value !== null) {
    const isNotANumber = (value: unknown) =>
      Number.isNaN(Array.isArray(value) && value.length === 1 ? value[0] : value)
    const fields = Object.entries(value)
    return Object.fromEntries(
      fields.map(([name, value]) => [name, isNotANumber(value) ? [] : value]),
    )
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'bigint' ? String(value) : value
}

/** It also applies the catalog's updates before it, in the order of acceptance. */
export function updateJob(room: CatalogRoom): Handler {
  return {
    kind: UPDATE_JOB,
    concurrency: CONCURRENT_UPDATES,
    again: 'Send the entries that were not applied again.',
    async run({ subject }, { signal, progressed }) {
      let ticket = nextTicket(room, subject)
      while (ticket && (await runStep(room, ticket, signal))) {
        room.changes.wakeWaits(ticket.id)
        progressed()
        await jobTurn(signal)
        ticket = nextTicket(room, subject)
      }
      return () => completeUpdate(room, subject)
    },
    failed: ({ subject }, error) => failUpdate(room, subject, error),
    settled: ({ subject }) => reportState(room, subject),
  }
}

/** The first update of its catalog that is not applied yet, or itself. */
function nextTicket({ tickets }: CatalogRoom, id: string): TicketRow | undefined {
  const ticket = tickets.byId(id)
  if (ticket?.state !== 'accepted' && ticket?.state !== 'checked') return ticket
  return tickets.firstUnapplied(ticket.catalog)
}

/**
 * Each step and its progress are one transaction, so another process can go on.
 * @returns whether there was anything left to do
 */
async function runStep(
  room: CatalogRoom,
  ticket: TicketRow,
  signal: AbortSignal,
): Promise<boolean> {
  switch (ticket.state) {
    case 'accepted':
      await checkUpdate(room, ticket, signal)
      return true
    case 'checked':
      applyStep(room, ticket)
      return true
    case 'applied':
      return resolveStep(room, ticket, signal)
    default:
      return false
  }
}

async function checkUpdate(
  room: CatalogRoom,
  ticket: TicketRow,
  signal: AbortSignal,
): Promise<void> {
  const { tickets } = room
  const maxItems = room.config.limits.catalogItems
  const fits = await wouldFit(room, ticket, maxItems, signal)
  room.atomically.step(() => {
    // Another process may have checked it meanwhile, and continued.
    if (tickets.byId(ticket.id)?.state !== 'accepted') return
    if (fits) tickets.setState('checked', ticket.num)
    else {
      tickets.failUpdate(
        ticket.num,
        `The catalog would hold more than the ${maxItems} items of limits.catalogItems; nothing of this update was applied. Delete items first, or use another catalog.`,
      )
    }
  })
}

function applyStep(
  { atomically, catalogs, items, plays, tickets }: CatalogRoom,
  { num }: TicketRow,
): void {
  atomically.step(() => {
    const ticket = tickets.byNum(num)
    // Another process may have applied it meanwhile.
    if (ticket?.state !== 'checked') return
    applyBatch({ catalogs, items, plays, tickets, ticket })
    if (tickets.batch(num, 0)) return
    const { totalItems = 0, updated = 0 } = tickets.byNum(num) ?? {}
    if (totalItems === 0 || updated > 0) tickets.setApplied({ num })
    else
      tickets.failUpdate(num, 'None of the entries could be applied; the reason is given for each.')
  })
}

/** False when no item is left. */
async function resolveStep(
  room: CatalogRoom,
  { num }: TicketRow,
  signal: AbortSignal,
): Promise<boolean> {
  const items = room.items.pending(num, RESOLVED_ITEMS)
  if (items.length === 0) return false
  await resolveItems(room, items, signal)
  return true
}

function completeUpdate(room: CatalogRoom, id: string): void {
  const ticket = room.tickets.byId(id)
  if (ticket?.state !== 'applied') return
  room.tickets.setState('complete', ticket.num)
  // Songs may have been added after an item was tried.
  retrySoon(room)
  if (ticket.updated > 0) updatePopularitySoon(room)
}

function failUpdate(room: CatalogRoom, id: string, error: Error): void {
  const ticket = room.tickets.byId(id)
  if (!ticket) return
  const { num, applied, totalItems } = ticket
  const appliedBefore = `${applied} of ${totalItems} entries were applied before.`
  room.tickets.failUpdate(num, `${error.message} ${appliedBefore}`)
  retrySoon(room)
}

function reportState({ changes, tickets, emit }: CatalogRoom, id: string): void {
  changes.wakeWaits(id)
  const ticket = tickets.byId(id)
  if (ticket) emit('ticket', { id, status: ticketStateOf(ticket) })
}

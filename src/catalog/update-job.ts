import type { Handler, Running } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { applyStep, refuse, wouldFit } from './apply.ts'
import { reckonSoon } from './popularity-job.ts'
import { resolveAll } from './resolve-items.ts'
import { retrySoon } from './retry-job.ts'
import { type CatalogRoom, UPDATE_JOB } from './room.ts'
import { stateOf } from './status.ts'
import type { CatalogRow, TicketRow } from './store.ts'

/** Items that are read, and written, together. */
const ITEMS = 64
/** Updates that are under way at once: a play is not to wait until a library is resolved. */
const AT_ONCE = 4

type Progressing = Pick<Running, 'signal' | 'progressed'>

/** The job that applies an update, after all that were accepted before it, and resolves its items. */
export function updateJob(context: CatalogRoom): Handler {
  const { store, changes, emit } = context

  function tell(id: string): void {
    changes.poke(id)
    const ticket = store.ticket(id)
    if (ticket) emit('ticket', { id, status: stateOf(ticket) })
  }

  return {
    kind: UPDATE_JOB,
    concurrency: AT_ONCE,
    again: 'Send the entries that were not applied again.',
    async run({ subject }, { signal, progressed }) {
      const ticket = store.ticket(subject)
      const catalog = ticket && store.byId(ticket.catalogId)
      if (!ticket || !catalog) return () => {}
      await applyUntil(context, catalog, ticket, { signal, progressed })
      await resolve(context, ticket, { signal, progressed })
      return () => {
        const now = store.ticket(subject)
        if (now?.state !== 'applied') return
        store.setState(now, 'complete')
        // Songs may have come after an item was tried.
        retrySoon(context)
        if (now.updated > 0) reckonSoon(context)
      }
    },
    failed({ subject }, error) {
      const ticket = store.ticket(subject)
      if (!ticket) return
      const { applied, totalItems } = ticket
      store.giveUp(
        ticket,
        `${error.message} ${applied} of ${totalItems} entries were applied before.`,
      )
      retrySoon(context)
    },
    settled({ subject }) {
      tell(subject)
    },
  }
}

async function applyUntil(
  context: CatalogRoom,
  catalog: CatalogRow,
  { id }: TicketRow,
  { signal, progressed }: Progressing,
): Promise<void> {
  const { store, changes } = context
  for (;;) {
    const mine = store.ticket(id)
    if (!mine || (mine.state !== 'accepted' && mine.state !== 'checked')) return
    const ticket = applyStep(store, catalog)
    if (!ticket) return
    if (ticket.state === 'accepted') await check(context, catalog, ticket, signal)
    changes.poke(ticket.id)
    progressed()
    await jobTurn(signal)
  }
}

async function check(
  { store, config }: CatalogRoom,
  catalog: CatalogRow,
  ticket: TicketRow,
  signal: AbortSignal,
): Promise<void> {
  const most = config.limits.catalogItems
  const fits = await wouldFit(store, catalog, ticket, most, signal)
  store.atomically.step(() => {
    // Another process may have checked it meanwhile, and gone on.
    if (store.ticket(ticket.id)?.state !== 'accepted') return
    if (fits) store.setState(ticket, 'checked')
    else refuse(store, ticket, most)
  })
}

async function resolve(
  context: CatalogRoom,
  ticket: TicketRow,
  { signal, progressed }: Progressing,
): Promise<void> {
  const { store, changes } = context
  for (;;) {
    const items = store.pendingItems(ticket.num, ITEMS)
    if (items.length === 0) return
    await resolveAll(context, items, signal)
    changes.poke(ticket.id)
    progressed()
  }
}

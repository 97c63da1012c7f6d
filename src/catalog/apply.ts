import { decayed } from '../artist/popularity.ts'
import { invalidParameter, ParameterError } from '../errors.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { type Details, type Identity, merged } from './identity.ts'
import {
  actionOf,
  type Entry,
  type Item,
  type KeyValues,
  LONGEST_ID,
  MOST_KEYS,
  parseEntry,
} from './item.ts'
import type { BatchRow, CatalogRow, CatalogStore, ItemRow, ItemState, TicketRow } from './store.ts'

/** Entries between two looks at the clock. */
const BLOCK = 16

/**
 * Goes on applying what was accepted for a catalog, in the order it was accepted, for one step.
 * Whoever holds the file may do the next one: how far it came is written in the same transaction.
 *
 * @returns the ticket that was worked on; `undefined` when nothing is left to apply
 */
export function applyStep(store: CatalogStore, catalog: CatalogRow): TicketRow | undefined {
  return store.atomically.step(() => {
    const ticket = store.firstUnapplied(catalog.num)
    if (ticket?.state !== 'checked') return ticket
    const batch = store.firstBatch(ticket)
    if (batch) applyBatch({ store, catalog, ticket, updated: 0 }, batch)
    else endApplying(store, ticket)
    return ticket
  })
}

/** What a step has changed. */
interface Applying {
  store: CatalogStore
  catalog: CatalogRow
  ticket: TicketRow
  updated: number
}

function applyBatch(work: Applying, { seq, entries, applied }: BatchRow): void {
  const { store, ticket } = work
  const all = JSON.parse(entries) as unknown[]
  let at = applied
  do applyOne(work, all[at++])
  while (at < all.length && (at % BLOCK !== 0 || !isBudgetSpent()))
  if (at >= all.length) store.removeBatch(ticket, seq)
  else store.setBatchApplied(ticket, seq, at)
  store.advance(ticket, { applied: at - applied, updated: work.updated })
}

function endApplying(store: CatalogStore, ticket: TicketRow): void {
  if (ticket.totalItems > 0 && ticket.updated === 0) {
    store.setState(
      ticket,
      'error',
      'None of the entries could be processed; what is wrong is told of each.',
    )
  } else {
    store.setToResolve(ticket)
    store.setState(ticket, 'applied')
  }
}

function applyOne(work: Applying, input: unknown): void {
  const { store, catalog, ticket } = work
  try {
    // What can be wrong with an entry is found before its first write.
    const entry = parseEntry(catalog.type, input)
    const { catalogKeyvalues, item, faults } = entry
    if (item === undefined || applyItem(work, entry, item)) work.updated++
    else faults.unshift('item not found')
    if (catalogKeyvalues !== undefined) {
      const kept = store.byId(catalog.id)?.keyvalues ?? '{}'
      const keyvalues = withKeyvalues(kept, catalogKeyvalues, 'catalogKeyvalues', faults)
      store.setKeyvalues(catalog.num, keyvalues)
    }
    for (const fault of faults) store.addInfo(ticket.num, item?.itemId ?? null, fault)
  } catch (error) {
    // Anything else is no fault of the entry: a disk, or a fault of the program.
    if (!(error instanceof ParameterError)) throw error
    store.addInfo(ticket.num, itemIdOf(input)?.slice(0, LONGEST_ID) ?? null, error.message)
  }
}

/**
 * Keys and values as JSON, after some were set or removed, or all by `null`; as they were, which is
 * told, when they would be too many.
 */
function withKeyvalues(
  kept: string,
  given: KeyValues | null,
  field: string,
  faults: string[],
): string {
  const all = { ...(given && (JSON.parse(kept) as KeyValues)), ...given }
  const left = Object.entries(all).filter(([, value]) => value !== null)
  if (left.length <= MOST_KEYS) return JSON.stringify(Object.fromEntries(left))
  faults.push(
    invalidParameter(
      field,
      `together with those kept they are more than ${MOST_KEYS} keys; it was left out`,
    ).message,
  )
  return kept
}

/** The id of an item of which nothing else may be right. */
function itemIdOf(input: unknown): string | undefined {
  const id = (input as { item?: { itemId?: unknown } } | null)?.item?.itemId
  return typeof id === 'string' ? id : undefined
}

/** Does what an entry says; false when there is no such item. */
function applyItem(work: Applying, { action, faults }: Entry, item: Item): boolean {
  const { store, catalog, ticket } = work
  const known = store.item(catalog.num, item.itemId)
  if (action === 'delete') {
    if (known) store.removeItem(known)
    return known !== undefined
  }
  // When it was accepted, not when its turn came: the same after a crash as without.
  const now = ticket.acceptedAt ?? 0
  if (action === 'update') {
    const { state, changed } = updated(known ?? fresh(catalog, item.itemId, now), item, now, faults)
    if (changed) Object.assign(state, { song: null, artist: null, trackId: null, ticket: null })
    // One that is named by nothing, with no file to listen to, has nothing to be resolved.
    const isOpen = state.song === null && state.artist === null && state.identity !== '{}'
    if (isOpen || (ticket.analyze === 1 && item.url != null)) state.ticket = ticket.num
    if (known) store.updateItem({ ...state, num: known.num })
    else store.addItem(state)
    return true
  }
  if (!known) return false
  store.updateItem({ ...known, ...counted(known, action, now), lastModified: now })
  return true
}

function counted(known: ItemRow, action: Entry['action'], now: number): Partial<ItemState> {
  switch (action) {
    case 'play':
      return { playCount: oneMore('playCount', known.playCount), ...heated(known, 1, now) }
    case 'skip':
      return { skipCount: oneMore('skipCount', known.skipCount) }
    case 'favorite':
      return { favorite: 1 }
    case 'unfavorite':
      return { favorite: 0 }
    case 'ban':
      return { banned: 1 }
    default:
      return { banned: 0 }
  }
}

/** @throws {ParameterError} at the greatest whole number that is exact */
function oneMore(name: string, count: number | null): number {
  if ((count ?? 0) < Number.MAX_SAFE_INTEGER) return (count ?? 0) + 1
  throw invalidParameter(
    name,
    `${count} is the most that can be counted; set a lower count with update`,
  )
}

function fresh({ num }: CatalogRow, itemId: string, now: number): ItemState {
  return {
    catalog: num,
    itemId,
    identity: '{}',
    details: '{}',
    keyvalues: '{}',
    favorite: null,
    banned: null,
    playCount: null,
    skipCount: null,
    rating: null,
    heat: 0,
    heatAt: now,
    song: null,
    artist: null,
    trackId: null,
    ticket: null,
    dateAdded: now,
    lastModified: now,
  }
}

function updated(
  before: ItemState,
  item: Item,
  now: number,
  faults: string[],
): { state: ItemState; changed: boolean } {
  const { identity, details, changed } = merged(
    {
      identity: JSON.parse(before.identity) as Identity,
      details: JSON.parse(before.details) as Details,
    },
    item,
  )
  const played = item.playCount ?? 0
  const more = item.playCount === undefined ? 0 : played - (before.playCount ?? 0)
  const state: ItemState = {
    ...before,
    identity: JSON.stringify(identity),
    details: JSON.stringify(details),
    favorite: flagOf(item.favorite, before.favorite),
    banned: flagOf(item.banned, before.banned),
    playCount: item.playCount === undefined ? before.playCount : item.playCount,
    skipCount: item.skipCount === undefined ? before.skipCount : item.skipCount,
    rating: item.rating === undefined ? before.rating : item.rating,
    lastModified: now,
    ...(more > 0 && heated(before, more, now)),
  }
  if (item.itemKeyvalues !== undefined) {
    state.keyvalues = withKeyvalues(before.keyvalues, item.itemKeyvalues, 'itemKeyvalues', faults)
  }
  return { state, changed }
}

function flagOf(given: boolean | null | undefined, before: 0 | 1 | null): 0 | 1 | null {
  if (given === undefined) return before
  return given === null ? null : given ? 1 : 0
}

function heated({ heat, heatAt }: ItemState, plays: number, now: number) {
  return { heat: decayed(heat, heatAt, now) + plays, heatAt: now }
}

/**
 * Whether a catalog would hold no more than it may after an update; the whole of it is gone through
 * before any of it is applied.
 *
 * @throws the signal's reason when it aborts before the end
 */
export async function wouldFit(
  store: CatalogStore,
  catalog: CatalogRow,
  ticket: TicketRow,
  most: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { total } = store.byId(catalog.id) ?? catalog
  if (total + ticket.totalItems <= most) return true
  const ids = new Set(store.itemIds(catalog.num))
  for (let batch = store.batchAt(ticket, 0); batch; batch = store.batchAt(ticket, batch.seq + 1)) {
    for (const input of JSON.parse(batch.entries) as unknown[]) {
      const id = itemIdOf(input)
      const action = actionOf((input as { action?: unknown } | null)?.action)
      if (id === undefined || (action !== 'update' && action !== 'delete')) continue
      // Only what makes a difference is looked at closely.
      if (ids.has(id) !== (action === 'delete') || !isGood(catalog, input)) continue
      if (action === 'delete') ids.delete(id)
      else ids.add(id)
    }
    await jobTurn(signal)
  }
  return ids.size <= most
}

function isGood({ type }: CatalogRow, input: unknown): boolean {
  try {
    parseEntry(type, input)
    return true
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error
    return false
  }
}

/** Ends an update that would make its catalog too large; nothing of it is applied. */
export function refuse(store: CatalogStore, ticket: TicketRow, most: number): void {
  store.removeBatches(ticket)
  store.setState(
    ticket,
    'error',
    `The catalog would hold more than the ${most} items of limits.catalogItems; nothing of this update was applied. Delete items first, or use another catalog.`,
  )
}

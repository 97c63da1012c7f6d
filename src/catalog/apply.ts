import { decayed } from '../artist/popularity.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { type Details, type Identity, merged } from './identity.ts'
import {
  actionOf,
  type CatalogType,
  type Entry,
  type Item,
  type KeyValues,
  LONGEST_ID,
  MOST_KEYS,
  parseEntry,
} from './item.ts'
import type { ItemRow, ItemState } from './item-store.ts'
import type { CatalogRoom } from './room.ts'
import type { TicketRow } from './ticket-store.ts'

/** Entries between two checks of the time. */
const BLOCK = 16

interface Applying extends Pick<CatalogRoom, 'catalogs' | 'items' | 'tickets'> {
  ticket: TicketRow
}

/** Applies entries of the first batch of an update, until the budget of a step is spent. */
export function applyBatch(work: Applying): void {
  const { tickets, ticket } = work
  const batch = tickets.batch(ticket.num, 0)
  if (!batch) return
  const entries = JSON.parse(batch.entries) as unknown[]
  let at = batch.applied
  let updated = 0
  do {
    if (applyEntry(work, entries[at++])) updated++
  } while (at < entries.length && (at % BLOCK !== 0 || !isBudgetSpent()))
  if (at >= entries.length) tickets.removeBatch(ticket.num, batch.seq)
  else tickets.setBatchApplied(at, ticket.num, batch.seq)
  tickets.countApplied({ num: ticket.num, applied: at - batch.applied, updated })
}

function applyEntry(work: Applying, input: unknown): boolean {
  const { catalogs, tickets, ticket } = work
  try {
    // Every fault of an entry is found before its first write.
    const entry = parseEntry(ticket.type, input)
    const { catalogKeyvalues, item, faults } = entry
    const isDone = item === undefined || applyToItem(work, entry, item)
    if (!isDone) faults.unshift('item not found')
    if (catalogKeyvalues !== undefined) {
      const kept = catalogs.keyvaluesOf(ticket.catalog) ?? '{}'
      const keyvalues = withKeyvalues(kept, catalogKeyvalues, 'catalogKeyvalues', faults)
      catalogs.setKeyvalues(keyvalues, ticket.catalog)
    }
    for (const fault of faults) tickets.addInfo(ticket.num, item?.itemId ?? null, fault)
    return isDone
  } catch (error) {
    // The entry does not cause any other error: a disk failed, or the program has a fault.
    if (!(error instanceof ParameterError)) throw error
    const { itemId } = idAndAction(input)
    tickets.addInfo(ticket.num, itemId?.slice(0, LONGEST_ID) ?? null, error.message)
    return false
  }
}

function idAndAction(input: unknown): { itemId: string | undefined; action: unknown } {
  const { item, action } = Object(input) as { item?: unknown; action?: unknown }
  const { itemId } = Object(item) as { itemId?: unknown }
  return { itemId: typeof itemId === 'string' ? itemId : undefined, action: actionOf(action) }
}

/**
 * Keys and values as JSON, after some were set or removed, or all were removed by `null`. If there
 * would be too many, they stay unchanged, and a fault is added.
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
  const why = `together with those kept they are more than ${MOST_KEYS} keys; it was left out`
  faults.push(invalidParameter(field, why).message)
  return kept
}

/** Applies the action of an entry to its item; returns false when there is no such item. */
function applyToItem({ items, ticket }: Applying, entry: Entry, item: Item): boolean {
  const { action, faults } = entry
  const known = items.byId(ticket.catalog, item.itemId)
  // The time of acceptance, not of this step, so that a crash between them changes nothing.
  const now = ticket.acceptedAt ?? 0
  if (action === 'update') {
    const before = known ?? newItem(ticket.catalog, item.itemId, now)
    const { state, isRenamed } = updated(before, item, now, faults)
    if (isRenamed) Object.assign(state, { song: null, artist: null, trackId: null, ticket: null })
    // An item without names and without a file to analyse cannot be resolved.
    const isUnresolved = state.song === null && state.artist === null && state.identity !== '{}'
    if (isUnresolved || (ticket.analyze === 1 && item.url != null)) state.ticket = ticket.num
    if (known) items.update({ ...state, num: known.num })
    else items.add(state)
    return true
  }
  if (!known) return false
  if (action === 'delete') items.remove(known)
  else items.update({ ...known, ...marked(known, action, now), lastModified: now })
  return true
}

const MARKS = {
  favorite: { favorite: 1 },
  unfavorite: { favorite: 0 },
  ban: { banned: 1 },
  unban: { banned: 0 },
} as const

function marked(
  known: ItemRow,
  action: Exclude<Entry['action'], 'update' | 'delete'>,
  now: number,
): Partial<ItemState> {
  if (action === 'skip') return { skipCount: oneMore('skipCount', known.skipCount) }
  if (action !== 'play') return MARKS[action]
  return { playCount: oneMore('playCount', known.playCount), ...heated(known, 1, now) }
}

/** @throws {ParameterError} when the count is `Number.MAX_SAFE_INTEGER` already */
function oneMore(name: string, before: number | null): number {
  const count = before ?? 0
  if (count < Number.MAX_SAFE_INTEGER) return count + 1
  throw invalidParameter(
    name,
    `${count} is the most that can be counted; set a lower count with update`,
  )
}

function newItem(catalog: number, itemId: string, now: number): ItemState {
  return {
    catalog,
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
): { state: ItemState; isRenamed: boolean } {
  const { identity, details, isRenamed } = merged(
    {
      identity: JSON.parse(before.identity) as Identity,
      details: JSON.parse(before.details) as Details,
    },
    item,
  )
  const more = (item.playCount ?? 0) - (before.playCount ?? 0)
  const state: ItemState = {
    ...before,
    identity: JSON.stringify(identity),
    details: JSON.stringify(details),
    lastModified: now,
    ...(more > 0 && heated(before, more, now)),
  }
  for (const name of ['favorite', 'banned'] as const) {
    const given = item[name]
    if (given !== undefined) state[name] = given === null ? null : given ? 1 : 0
  }
  for (const name of ['playCount', 'skipCount', 'rating'] as const) {
    const given = item[name]
    if (given !== undefined) state[name] = given
  }
  if (item.itemKeyvalues !== undefined) {
    state.keyvalues = withKeyvalues(before.keyvalues, item.itemKeyvalues, 'itemKeyvalues', faults)
  }
  return { state, isRenamed }
}

function heated({ heat, heatAt }: ItemState, plays: number, now: number) {
  return { heat: decayed(heat, heatAt, now) + plays, heatAt: now }
}

/** Whether a catalog would be within its limit after an update. */
export async function wouldFit(
  { items, tickets }: CatalogRoom,
  { num, catalog, type, total, totalItems }: TicketRow,
  most: number,
  signal: AbortSignal,
): Promise<boolean> {
  // Most catalogs are so far below the limit that no entry has to be read.
  if (total + totalItems <= most) return true
  const ids = new Set(items.ids(catalog))
  for (let batch = tickets.batch(num, 0); batch; batch = tickets.batch(num, batch.seq + 1)) {
    for (const input of JSON.parse(batch.entries) as unknown[]) {
      const { itemId, action } = idAndAction(input)
      if (itemId === undefined || (action !== 'update' && action !== 'delete')) continue
      // Only entries that add or remove an item are parsed.
      if (ids.has(itemId) !== (action === 'delete') || !isValid(type, input)) continue
      if (action === 'delete') ids.delete(itemId)
      else ids.add(itemId)
    }
    await jobTurn(signal)
  }
  return ids.size <= most
}

function isValid(type: CatalogType, input: unknown): boolean {
  try {
    parseEntry(type, input)
    return true
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error
    return false
  }
}

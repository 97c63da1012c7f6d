import { decayHeat } from '../artist/popularity.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { type Details, type Identity, mergeItem } from './identity.ts'
import {
  type CatalogType,
  type Item,
  type KeyValues,
  MAX_ID_LENGTH,
  MAX_KEYVALUES,
  normalizeAction,
  parseEntry,
  type UpdateEntry,
} from './item.ts'
import type { ItemRow, ItemState } from './item-store.ts'
import { joinedTimes } from './play-times.ts'
import type { CatalogRoom } from './room.ts'
import type { TicketRow } from './ticket-store.ts'

/** Between two checks of the time. */
const CHECKED_ENTRIES = 16

interface UpdateStep extends Pick<CatalogRoom, 'catalogs' | 'items' | 'plays' | 'tickets'> {
  ticket: TicketRow
}

export function applyBatch(step: UpdateStep): void {
  const { tickets, ticket } = step
  const batch = tickets.batch(ticket.num, 0)
  if (!batch) return
  const entries = JSON.parse(batch.entries) as unknown[]
  let position = batch.applied
  let updated = 0
  do {
    if (applyEntry(step, entries[position++])) updated++
  } while (position < entries.length && (position % CHECKED_ENTRIES !== 0 || !isBudgetSpent()))
  if (position >= entries.length) tickets.removeBatch(ticket.num, batch.seq)
  else tickets.setBatchApplied(position, ticket.num, batch.seq)
  tickets.countApplied({ num: ticket.num, applied: position - batch.applied, updated })
}

function applyEntry(step: UpdateStep, input: unknown): boolean {
  const { catalogs, tickets, ticket } = step
  try {
    // Every fault of an entry is found before its first write.
    const entry = parseEntry(ticket.type, input)
    const { catalogKeyvalues, item, faults } = entry
    const isDone = item === undefined || applyToItem(step, entry, item)
    if (!isDone) faults.unshift('item not found')
    if (catalogKeyvalues !== undefined) {
      const oldKeyvalues = catalogs.keyvaluesOf(ticket.catalog) ?? '{}'
      const keyvalues = withKeyvalues(oldKeyvalues, catalogKeyvalues, 'catalogKeyvalues', faults)
      catalogs.setKeyvalues(keyvalues, ticket.catalog)
    }
    for (const fault of faults) tickets.addInfo(ticket.num, item?.itemId ?? null, fault)
    return isDone
  } catch (error) {
    // Any other error is no fault of the entry: it ends the step.
    if (!(error instanceof ParameterError)) throw error
    const { itemId } = idAndAction(input)
    tickets.addInfo(ticket.num, itemId?.slice(0, MAX_ID_LENGTH) ?? null, error.message)
    return false
  }
}

function idAndAction(input: unknown): { itemId: string | undefined; action: unknown } {
  const { item, action } = Object(input) as { item?: unknown; action?: unknown }
  const { itemId } = Object(item) as { itemId?: unknown }
  return {
    itemId: typeof itemId === 'string' ? itemId : undefined,
    action: normalizeAction(action),
  }
}

/** `null` removes all; too many keys change nothing and add a fault. */
function withKeyvalues(
  oldKeyvalues: string,
  newKeyvalues: KeyValues | null,
  field: string,
  faults: string[],
): string {
  const merged = { ...(newKeyvalues && (JSON.parse(oldKeyvalues) as KeyValues)), ...newKeyvalues }
  const pairs = Object.entries(merged).filter(([, value]) => value !== null)
  if (pairs.length <= MAX_KEYVALUES) return JSON.stringify(Object.fromEntries(pairs))
  const reason = `together with those kept they are more than ${MAX_KEYVALUES} keys; it was left out`
  faults.push(invalidParameter(field, reason).message)
  return oldKeyvalues
}

function applyToItem(
  { items, plays, ticket }: UpdateStep,
  entry: UpdateEntry,
  item: Item,
): boolean {
  const { action, faults } = entry
  const oldItem = items.byId(ticket.catalog, item.itemId)
  // The time of acceptance, so that a crash before this step changes nothing.
  const now = ticket.acceptedAt ?? 0
  if (action === 'update') {
    const oldState = oldItem ?? newItem(ticket.catalog, item.itemId, now)
    const times = oldItem && item.plays !== undefined ? plays.timesOf(oldItem.num) : []
    const { state, isRenamed, changedTimes } = updateItem(oldState, item, { now, times, faults })
    if (isRenamed) Object.assign(state, { song: null, artist: null, trackId: null, ticket: null })
    // An item without names and without a file cannot be resolved.
    const isUnresolved = state.song === null && state.artist === null && state.identity !== '{}'
    if (isUnresolved || (ticket.analyze === 1 && item.url != null)) state.ticket = ticket.num
    const num = oldItem?.num ?? items.addItem(state)
    if (oldItem) items.update({ ...state, num })
    if (changedTimes) plays.write(num, changedTimes)
    return true
  }
  if (!oldItem) return false
  if (action === 'delete') {
    items.removeItem(oldItem)
    return true
  }
  const changed = fieldsAfterAction(oldItem, action, now)
  items.update({ ...oldItem, ...changed, lastModified: now })
  if (changed.lastPlayed != null) {
    plays.write(oldItem.num, joinedTimes(plays.timesOf(oldItem.num), [changed.lastPlayed]))
  }
  return true
}

const MARKED_FIELDS = {
  favorite: { favorite: 1 },
  unfavorite: { favorite: 0 },
  ban: { banned: 1 },
  unban: { banned: 0 },
} as const

function fieldsAfterAction(
  item: ItemRow,
  action: Exclude<UpdateEntry['action'], 'update' | 'delete'>,
  now: number,
): Partial<ItemState> {
  if (action === 'skip') return { skipCount: increment('skipCount', item.skipCount) }
  if (action !== 'play') return MARKED_FIELDS[action]
  return {
    playCount: increment('playCount', item.playCount),
    lastPlayed: Math.max(item.lastPlayed ?? 0, Math.floor(now / 1000)),
    ...withPlays(item, 1, now),
  }
}

/** @throws {ParameterError} when the count is `Number.MAX_SAFE_INTEGER` already */
function increment(name: string, oldCount: number | null): number {
  const count = oldCount ?? 0
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
    lastPlayed: null,
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

/** @param times - when the item was played, as known before */
function updateItem(
  oldState: ItemState,
  item: Item,
  { now, times, faults }: { now: number; times: readonly number[]; faults: string[] },
): { state: ItemState; isRenamed: boolean; changedTimes: number[] | undefined } {
  const { identity, details, isRenamed } = mergeItem(
    {
      identity: JSON.parse(oldState.identity) as Identity,
      details: JSON.parse(oldState.details) as Details,
    },
    item,
  )
  const state: ItemState = {
    ...oldState,
    identity: JSON.stringify(identity),
    details: JSON.stringify(details),
    lastModified: now,
  }
  for (const name of ['favorite', 'banned'] as const) {
    const newValue = item[name]
    if (newValue !== undefined) state[name] = newValue === null ? null : newValue ? 1 : 0
  }
  for (const name of ['playCount', 'skipCount', 'rating'] as const) {
    const newValue = item[name]
    if (newValue !== undefined) state[name] = newValue
  }
  const changedTimes = countPlays(state, oldState, item, { now, times })
  if (item.itemKeyvalues !== undefined) {
    state.keyvalues = withKeyvalues(oldState.keyvalues, item.itemKeyvalues, 'itemKeyvalues', faults)
  }
  return { state, isRenamed, changedTimes }
}

/**
 * Counts the plays of an update in the state of its item.
 *
 * @returns all times of its plays, unless they stay as they are
 */
function countPlays(
  state: ItemState,
  oldState: ItemState,
  { playCount, plays: added }: Item,
  { now, times: known }: { now: number; times: readonly number[] },
): number[] | undefined {
  const counted = oldState.playCount ?? 0
  if (added === undefined) {
    const more = (playCount ?? 0) - counted
    if (more > 0) Object.assign(state, withPlays(oldState, more, now))
    return undefined
  }
  const times = added === null ? [] : joinedTimes(known, added as number[])
  const knownTimes = new Set(known)
  const newTimes = times.filter((time) => !knownTimes.has(time))
  if (added !== null) {
    const total = playCount ?? counted + Math.max(0, times.length - known.length)
    state.playCount = Math.max(total, times.length)
  }
  const undated = Math.max(0, (state.playCount ?? 0) - counted - newTimes.length)
  const heat = newTimes.reduce((sum, time) => sum + decayHeat(1, time * 1000, now), undated)
  Object.assign(state, withPlays(oldState, heat, now), { lastPlayed: times.at(-1) ?? null })
  return times
}

function withPlays({ heat, heatAt }: ItemState, plays: number, now: number) {
  return { heat: decayHeat(heat, heatAt, now) + plays, heatAt: now }
}

export async function wouldFit(
  { items, tickets }: CatalogRoom,
  { num, catalog, type, total, totalItems }: TicketRow,
  maxItems: number,
  signal: AbortSignal,
): Promise<boolean> {
  // Most catalogs are so far below the limit that no entry has to be read.
  if (total + totalItems <= maxItems) return true
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
  return ids.size <= maxItems
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

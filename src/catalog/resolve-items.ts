import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { findSongOfTrack } from '../song/find-song.ts'
import { AudileError } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { Identity } from './identity.ts'
import type { CatalogType } from './item.ts'
import type { ItemRow } from './item-store.ts'
import { isOfDatabase, type Resolution, resolveItem } from './resolve.ts'
import type { CatalogRoom } from './room.ts'

/** A catalog id in a reference to an item; most identities have none and are not parsed. */
const ITEM_REFERENCE = /"CA[0-9A-Z]{16}:/

/**
 * Writes the results for items that did not change meanwhile; a referenced item is resolved first.
 */
export async function resolveItems(
  room: CatalogRoom,
  items: readonly ItemRow[],
  signal: AbortSignal,
): Promise<void> {
  const resolver = new ItemResolver(room, signal)
  for (let position = 0; position < items.length; ) {
    const end = resolver.resolveAtOnce(items, position)
    if (end === position) await resolver.resolveOne(items[position++] as ItemRow)
    else position = end
    if (isBudgetSpent()) await jobTurn(signal)
  }
  resolver.writeResults()
}

class ItemResolver {
  readonly #room: CatalogRoom
  readonly #signal: AbortSignal
  readonly #revision: number
  readonly #triedItems = new Set<number>()
  readonly #types: Record<number, CatalogType> = {}
  /** By ticket: whether the files of its items are analysed. */
  readonly #analyze: Record<number, boolean> = {}
  #resolved: [ItemRow, Resolution][] = []

  constructor(room: CatalogRoom, signal: AbortSignal) {
    this.#room = room
    this.#signal = signal
    this.#revision = revisionOf(room)
  }

  /**
   * In one reading transaction, until the budget is spent or an item must be waited for.
   * @returns where it ended
   */
  resolveAtOnce(items: readonly ItemRow[], start: number): number {
    return this.#room.atomically.reading(() => {
      let position = start
      for (; position < items.length && (position === start || !isBudgetSpent()); position++) {
        const item = items[position] as ItemRow
        if (this.#triedItems.has(item.num)) continue
        if (ITEM_REFERENCE.test(item.identity)) break
        const resolution = this.#resolutionOf(item)
        if (typeof resolution === 'function') break
        this.#addResult(item, resolution)
      }
      return position
    })
  }

  async resolveOne(item: ItemRow): Promise<void> {
    if (this.#triedItems.has(item.num)) return
    const target = this.#targetOf(item)
    if (target) await this.#resolveChain(item, target)
    else await this.#tryItem(item)
  }

  writeResults(): void {
    if (this.#resolved.length === 0) return
    const results = this.#resolved
    this.#resolved = []
    const { atomically, tickets } = this.#room
    atomically.step(() => {
      const counts = new Map<number, number>()
      for (const [item, resolution] of results) {
        writeResolution(this.#room, item, resolution, this.#revision)
        if (item.ticket !== null) counts.set(item.ticket, (counts.get(item.ticket) ?? 0) + 1)
      }
      for (const [num, count] of counts) tickets.countResolved(count, num)
    })
  }

  #targetOf({ identity }: ItemRow): ItemRow | undefined {
    if (!ITEM_REFERENCE.test(identity)) return undefined
    // The target's own resolution may not be written yet.
    this.writeResults()
    const { catalogs, items } = this.#room
    const { songId, trackId, artistId } = JSON.parse(identity) as Identity
    const foreignId = parseForeignId(songId ?? trackId ?? artistId ?? '')
    const catalog = foreignId && catalogs.byId(foreignId.catalog)
    const target = catalog && items.byId(catalog.num, foreignId.id)
    return target && this.#isWaiting(target) ? target : undefined
  }

  /** A chain of items, each of which refers to the next, from its end. */
  async #resolveChain(item: ItemRow, firstTarget: ItemRow): Promise<void> {
    const chain = new Set([item.num])
    let target: ItemRow | undefined = firstTarget
    while (target && !chain.has(target.num)) {
      chain.add(target.num)
      if (isBudgetSpent()) await jobTurn(this.#signal)
      target = this.#targetOf(target)
    }
    const order = [...chain].reverse()
    // In a cycle no order is right: each item gets a second try.
    const isCycle = target !== undefined
    for (const isLastTry of isCycle ? [false, true] : [true]) {
      for (const num of order) {
        this.writeResults()
        const row = this.#room.items.byNum(num)
        if (row && this.#isWaiting(row)) await this.#tryItem(row, isLastTry)
      }
    }
  }

  async #tryItem(item: ItemRow, isLastTry = true): Promise<void> {
    const lookup = this.#resolutionOf(item)
    const resolution = typeof lookup === 'function' ? await lookup() : lookup
    if (isLastTry || resolution.song !== null || resolution.artist !== null) {
      this.#addResult(item, resolution)
    }
  }

  #addResult(item: ItemRow, resolution: Resolution): void {
    this.#triedItems.add(item.num)
    this.#resolved.push([item, resolution])
  }

  /** A lookup that fails must not affect the others. */
  #resolutionOf(item: ItemRow): Resolution | (() => Promise<Resolution>) {
    const { catalogs, tickets } = this.#room
    const toFailure = (error: unknown) => failedLookup(this.#room, item, error, this.#signal)
    try {
      this.#types[item.catalog] ??= catalogs.typeOf(item.catalog) ?? 'song'
      const type = this.#types[item.catalog] as CatalogType
      const ticket = item.ticket ?? 0
      this.#analyze[ticket] ??= tickets.analyzes(ticket) === 1
      const lookup = resolveItem(this.#room, type, item, this.#analyze[ticket], this.#signal)
      return typeof lookup === 'function' ? () => lookup().catch(toFailure) : lookup
    } catch (error) {
      return toFailure(error)
    }
  }

  /** An update must resolve it, or songs changed since nothing was found. */
  #isWaiting({ ticket, song, artist, identity, tried }: ItemRow): boolean {
    if (ticket !== null) return true
    return song === null && artist === null && identity !== '{}' && tried < this.#revision
  }
}

function failedLookup(
  { host }: CatalogRoom,
  { itemId }: ItemRow,
  error: unknown,
  signal: AbortSignal,
): Resolution {
  signal.throwIfAborted()
  if (!(error instanceof Error) || isOfDatabase(error)) throw error
  // No caller can correct a fault of the program.
  if (!(error instanceof AudileError)) {
    host.log('error', `The lookup of the item ${itemId} failed.`, error)
  }
  return { song: null, artist: null, trackId: null, infos: [`lookup failed: ${error.message}`] }
}

function writeResolution(
  { items, tickets, song }: CatalogRoom,
  { num, itemId, identity, ticket }: ItemRow,
  { infos, ...result }: Resolution,
  revision: number,
): void {
  if (result.song === null && result.trackId !== null) {
    // If the analysis has ended since, nothing else resolves the item to its song.
    const songOfTrack = findSongOfTrack(song, result.trackId)
    if (songOfTrack !== undefined) {
      Object.assign(result, { song: songOfTrack, artist: song.store.artistOf(songOfTrack) ?? null })
    }
  }
  const { changes } = items.resolve({ num, identity, ticket, ...result, tried: revision })
  if (changes === 0 || ticket === null) return
  for (const info of infos) tickets.addInfo(ticket, itemId, info)
}

export function revisionOf({ song, artist }: Pick<CatalogRoom, 'song' | 'artist'>): number {
  return song.store.columns.revision + artist.store.columns.revision
}

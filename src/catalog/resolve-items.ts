import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { findSongOfTrack } from '../song/find-song.ts'
import { AudileError } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { Identity } from './identity.ts'
import type { CatalogType } from './item.ts'
import type { ItemRow } from './item-store.ts'
import { isOfDatabase, type Resolution, resolveItem } from './resolve.ts'
import type { CatalogRoom } from './room.ts'

/** The catalog id in a reference to an item. Most identities have none, and are not parsed. */
const REFERENCE = /"CA[0-9A-Z]{16}:/

/**
 * Resolves items, and writes the results for those that did not change meanwhile. An item may
 * name an item of a catalog instead of a song: that one is resolved first, whichever update it waits
 * for.
 */
export async function resolveItems(
  room: CatalogRoom,
  items: readonly ItemRow[],
  signal: AbortSignal,
): Promise<void> {
  const resolver = new Resolver(room, signal)
  for (let next = 0; next < items.length; ) {
    const reached = resolver.resolveAtOnce(items, next)
    if (reached === next) await resolver.resolve(items[next++] as ItemRow)
    else next = reached
    if (isBudgetSpent()) await jobTurn(signal)
  }
  resolver.write()
}

/** Resolves items, and writes the results of several together. */
class Resolver {
  readonly #room: CatalogRoom
  readonly #signal: AbortSignal
  readonly #revision: number
  readonly #tried = new Set<number>()
  readonly #types: Record<number, CatalogType> = {}
  /** Whether the files of a ticket's items are analysed. */
  readonly #analyze: Record<number, boolean> = {}
  #found: [ItemRow, Resolution][] = []

  constructor(room: CatalogRoom, signal: AbortSignal) {
    this.#room = room
    this.#signal = signal
    this.#revision = revisionOf(room)
  }

  /**
   * Resolves items from the given one on, in one transaction that reads: until the budget is spent,
   * or up to an item that must be waited for, or written after others. Returns where it ended.
   */
  resolveAtOnce(items: readonly ItemRow[], first: number): number {
    return this.#room.atomically.reading(() => {
      let at = first
      for (; at < items.length && (at === first || !isBudgetSpent()); at++) {
        const item = items[at] as ItemRow
        if (this.#tried.has(item.num)) continue
        if (REFERENCE.test(item.identity)) break
        const resolution = this.#resolutionOf(item)
        if (typeof resolution === 'function') break
        this.#take(item, resolution)
      }
      return at
    })
  }

  async resolve(item: ItemRow): Promise<void> {
    if (this.#tried.has(item.num)) return
    const target = this.#targetOf(item)
    if (target) await this.#resolveChain(item, target)
    else await this.#try(item)
  }

  write(): void {
    if (this.#found.length === 0) return
    const found = this.#found
    this.#found = []
    const { atomically, tickets } = this.#room
    atomically.step(() => {
      const counts = new Map<number, number>()
      for (const [item, resolution] of found) {
        writeOne(this.#room, item, resolution, this.#revision)
        if (item.ticket !== null) counts.set(item.ticket, (counts.get(item.ticket) ?? 0) + 1)
      }
      for (const [num, count] of counts) tickets.countResolved(count, num)
    })
  }

  #targetOf({ identity }: ItemRow): ItemRow | undefined {
    if (!REFERENCE.test(identity)) return undefined
    // The target's own resolution may not be written yet.
    this.write()
    const { catalogs, items } = this.#room
    const { songId, trackId, artistId } = JSON.parse(identity) as Identity
    const foreign = parseForeignId(songId ?? trackId ?? artistId ?? '')
    const catalog = foreign && catalogs.byId(foreign.catalog)
    const target = catalog && items.byId(catalog.num, foreign.id)
    return target && this.#isWaiting(target) ? target : undefined
  }

  /** Resolves a chain of items, each of which refers to the next, from its end. */
  async #resolveChain(item: ItemRow, named: ItemRow): Promise<void> {
    const chain = new Set([item.num])
    let target: ItemRow | undefined = named
    while (target && !chain.has(target.num)) {
      chain.add(target.num)
      if (isBudgetSpent()) await jobTurn(this.#signal)
      target = this.#targetOf(target)
    }
    const order = [...chain].reverse()
    // In a cycle no order is right: each item gets a second try after the first try of all.
    const isCycle = target !== undefined
    for (const isLastTry of isCycle ? [false, true] : [true]) {
      for (const num of order) {
        this.write()
        const row = this.#room.items.byNum(num)
        if (row && this.#isWaiting(row)) await this.#try(row, isLastTry)
      }
    }
  }

  async #try(item: ItemRow, isLastTry = true): Promise<void> {
    const found = this.#resolutionOf(item)
    const resolution = typeof found === 'function' ? await found() : found
    if (isLastTry || resolution.song !== null || resolution.artist !== null) {
      this.#take(item, resolution)
    }
  }

  #take(item: ItemRow, resolution: Resolution): void {
    this.#tried.add(item.num)
    this.#found.push([item, resolution])
  }

  /** Looks an item up. A lookup that fails must not affect the others. */
  #resolutionOf(item: ItemRow): Resolution | (() => Promise<Resolution>) {
    const { catalogs, tickets } = this.#room
    const failed = (error: unknown) => failedLookup(this.#room, item, error, this.#signal)
    try {
      this.#types[item.catalog] ??= catalogs.typeOf(item.catalog) ?? 'song'
      const type = this.#types[item.catalog] as CatalogType
      const ticket = item.ticket ?? 0
      this.#analyze[ticket] ??= tickets.analyzes(ticket) === 1
      const found = resolveItem(this.#room, type, item, this.#analyze[ticket], this.#signal)
      return typeof found === 'function' ? () => found().catch(failed) : found
    } catch (error) {
      return failed(error)
    }
  }

  /** Whether an update must resolve it, or songs or artists changed since nothing was found. */
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
  // A fault of the program: no caller can correct it, so it is logged.
  if (!(error instanceof AudileError)) {
    host.log('error', `The lookup of the item ${itemId} failed.`, error)
  }
  return { song: null, artist: null, trackId: null, infos: [`lookup failed: ${error.message}`] }
}

function writeOne(
  { items, tickets, song }: CatalogRoom,
  { num, itemId, identity, ticket }: ItemRow,
  { infos, ...found }: Resolution,
  tried: number,
): void {
  if (found.song === null && found.trackId !== null) {
    // If the analysis has ended since, nothing else will resolve the item to its song.
    const own = findSongOfTrack(song, found.trackId)
    if (own !== undefined) {
      Object.assign(found, { song: own, artist: song.store.artistOf(own) ?? null })
    }
  }
  const { changes } = items.resolve({ num, identity, ticket, ...found, tried })
  if (changes === 0 || ticket === null) return
  for (const info of infos) tickets.addInfo(ticket, itemId, info)
}

export function revisionOf({ song, artist }: Pick<CatalogRoom, 'song' | 'artist'>): number {
  return song.store.columns.revision + artist.store.columns.revision
}

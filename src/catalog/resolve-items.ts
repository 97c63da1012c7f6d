import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { findSongOfTrack } from '../song/find-song.ts'
import { AudileError } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { Identity } from './identity.ts'
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
  for (const item of items) await resolver.resolve(item)
  resolver.write()
}

/** Resolves items one by one, and writes the results of several together. */
class Resolver {
  readonly #room: CatalogRoom
  readonly #signal: AbortSignal
  readonly #revision: number
  readonly #tried = new Set<number>()
  #found: [ItemRow, Resolution][] = []

  constructor(room: CatalogRoom, signal: AbortSignal) {
    this.#room = room
    this.#signal = signal
    this.#revision = revisionOf(room)
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
      await this.#turn()
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
    const resolution = await resolveOne(this.#room, item, this.#signal)
    if (isLastTry || resolution.song !== null || resolution.artist !== null) {
      this.#tried.add(item.num)
      this.#found.push([item, resolution])
    }
    await this.#turn()
  }

  async #turn(): Promise<void> {
    if (!isBudgetSpent()) return
    this.write()
    await jobTurn(this.#signal)
  }

  /** Whether an update must resolve it, or songs or artists changed since nothing was found. */
  #isWaiting({ ticket, song, artist, identity, tried }: ItemRow): boolean {
    if (ticket !== null) return true
    return song === null && artist === null && identity !== '{}' && tried < this.#revision
  }
}

/** A failed lookup of one item must not affect the others. */
async function resolveOne(
  room: CatalogRoom,
  item: ItemRow,
  signal: AbortSignal,
): Promise<Resolution> {
  const { catalogs, tickets } = room
  try {
    const type = catalogs.typeOf(item.catalog) ?? 'song'
    const analyze = item.ticket !== null && tickets.analyzes(item.ticket) === 1
    return await resolveItem(room, type, item, analyze, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error) || isOfDatabase(error)) throw error
    // A fault of the program: no caller can correct it, so it is logged.
    if (!(error instanceof AudileError)) {
      room.host.log('error', `The lookup of the item ${item.itemId} failed.`, error)
    }
    return { song: null, artist: null, trackId: null, infos: [`lookup failed: ${error.message}`] }
  }
}

function writeOne(
  room: CatalogRoom,
  item: ItemRow,
  { infos, ...found }: Resolution,
  tried: number,
): void {
  const { items, tickets, song } = room
  const now = items.byNum(item.num)
  if (!now || now.identity !== item.identity || now.ticket !== item.ticket) return
  // Another process may have found a song when this one found nothing.
  if (now.ticket === null && now.song !== null) return
  if (found.song === null && found.trackId !== null) {
    // If the analysis has ended since, nothing else will resolve the item to its song.
    const num = findSongOfTrack(song, found.trackId)
    if (num !== undefined)
      Object.assign(found, { song: num, artist: song.store.artistOf(num) ?? null })
  }
  items.resolve({ num: item.num, ...found, tried })
  const { ticket, itemId } = item
  if (ticket !== null) for (const info of infos) tickets.addInfo(ticket, itemId, info)
}

export function revisionOf({ song, artist }: Pick<CatalogRoom, 'song' | 'artist'>): number {
  return song.store.columns.revision + artist.store.columns.revision
}

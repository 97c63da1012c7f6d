import { AudileError, DatabaseError } from '../errors.ts'
import { parseForeignId } from '../ids.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import type { Identity } from './identity.ts'
import { type Resolution, resolveItem, songOfTrack } from './resolve.ts'
import type { CatalogRoom } from './room.ts'
import type { ItemRow, TicketRow } from './store.ts'

/** The id of a catalog before that of an item: most identities have none, and need not be parsed. */
const REFERENCE = /"CA[0-9A-Z]{16}:/

/**
 * Resolves items, and writes what was found unless they changed meanwhile. What an item refers to in
 * a catalog is resolved before it, whichever update that waits for.
 */
export async function resolveAll(
  context: CatalogRoom,
  items: readonly ItemRow[],
  signal: AbortSignal,
): Promise<void> {
  const attempts = new Attempts(context, signal)
  for (const item of items) {
    if (attempts.includes(item)) continue
    if (attempts.targetOf(item)) await attempts.addChain(item)
    else await attempts.add(item)
  }
  await attempts.rest()
}

/** Attempts to resolve items, of which some are written together. */
class Attempts {
  readonly #context: CatalogRoom
  readonly #signal: AbortSignal
  readonly #revision: number
  readonly #tickets = new Map<number, TicketRow | undefined>()
  readonly #tried = new Set<number>()
  #found: [ItemRow, Resolution][] = []

  constructor(context: CatalogRoom, signal: AbortSignal) {
    this.#context = context
    this.#signal = signal
    this.#revision = revisionOf(context)
  }

  includes({ num }: ItemRow): boolean {
    return this.#tried.has(num)
  }

  /** The item that an item refers to, if that has still to be resolved itself. */
  targetOf({ identity }: ItemRow): ItemRow | undefined {
    if (!REFERENCE.test(identity)) return undefined
    // What was found of it has to be there to be seen.
    this.#write()
    const { store } = this.#context
    const { songId, trackId, artistId } = JSON.parse(identity) as Identity
    const foreign = parseForeignId(songId ?? trackId ?? artistId ?? '')
    const catalog = foreign && store.byId(foreign.catalog)
    const target = catalog && store.item(catalog.num, foreign.id)
    return target && this.#isWaiting(target) ? target : undefined
  }

  /** Resolves an item. That nothing was found does not count where it is tried `again`. */
  async add(item: ItemRow, { again = false } = {}): Promise<void> {
    const { store } = this.#context
    const type = store.typeOf(item.catalog) ?? 'song'
    const analyze = this.#ticketOf(item)?.analyze === 1
    const resolution = await resolveOne(this.#context, type, item, analyze, this.#signal)
    if (!again || resolution.song !== null || resolution.artist !== null) {
      this.#tried.add(item.num)
      this.#found.push([item, resolution])
    }
    if (isBudgetSpent()) await this.rest()
  }

  /** Resolves an item after what it refers to, and so on. */
  async addChain(item: ItemRow): Promise<void> {
    const chain = new Set([item.num])
    let target = this.targetOf(item)
    while (target && !chain.has(target.num)) {
      chain.add(target.num)
      if (isBudgetSpent()) await this.rest()
      target = this.targetOf(target)
    }
    const order = [...chain].reverse()
    // In a cycle no order is right: each has another attempt when all have had one.
    const rounds = target === undefined ? [false] : [true, false]
    for (const again of rounds) {
      for (const num of order) {
        this.#write()
        const row = this.#context.store.itemByNum(num)
        if (row && this.#isWaiting(row)) await this.add(row, { again })
      }
    }
  }

  /** Writes what was found, and lets others come between. */
  async rest(): Promise<void> {
    this.#write()
    await jobTurn(this.#signal)
  }

  #write(): void {
    if (this.#found.length === 0) return
    const { store } = this.#context
    const found = this.#found
    this.#found = []
    store.atomically.step(() => {
      const counts = new Map<TicketRow, number>()
      for (const [item, resolution] of found) {
        const ticket = this.#ticketOf(item)
        writeOne(this.#context, item, resolution, ticket, this.#revision)
        if (ticket) counts.set(ticket, (counts.get(ticket) ?? 0) + 1)
      }
      for (const [ticket, count] of counts) store.countResolution(ticket, count)
    })
  }

  /** Whether it waits for an update, or to be tried again since songs or artists came. */
  #isWaiting({ ticket, song, artist, identity, tried }: ItemRow): boolean {
    if (ticket !== null) return true
    return song === null && artist === null && identity !== '{}' && tried < this.#revision
  }

  /** The update that an item waits for; none when it was tried before, in vain. */
  #ticketOf({ ticket }: ItemRow): TicketRow | undefined {
    if (ticket === null) return undefined
    if (!this.#tickets.has(ticket)) {
      this.#tickets.set(ticket, this.#context.store.ticketByNum(ticket))
    }
    return this.#tickets.get(ticket)
  }
}

/** One item that nothing can be made of must not cost the others. */
function resolveOne(
  context: CatalogRoom,
  type: 'artist' | 'song',
  item: ItemRow,
  analyze: boolean,
  signal: AbortSignal,
): Resolution | Promise<Resolution> {
  const failed = (error: unknown): Resolution => {
    signal.throwIfAborted()
    if (!(error instanceof Error) || error instanceof DatabaseError) throw error
    if (error.name === 'SqliteError') throw error
    // Nobody can do anything about a fault of the program; at least somebody is to hear of it.
    if (!(error instanceof AudileError)) {
      context.host.log('error', `The lookup of the item ${item.itemId} failed.`, error)
    }
    return { song: null, artist: null, trackId: null, infos: [`lookup failed: ${error.message}`] }
  }
  try {
    const resolution = resolveItem(context, type, item, analyze, signal)
    return resolution instanceof Promise ? resolution.catch(failed) : resolution
  } catch (error) {
    return failed(error)
  }
}

function writeOne(
  context: CatalogRoom,
  item: ItemRow,
  { infos, ...found }: Resolution,
  ticket: TicketRow | undefined,
  revision: number,
): void {
  const { store, song } = context
  const now = store.itemByNum(item.num)
  if (!now || now.identity !== item.identity || now.ticket !== item.ticket) return
  // What was tried again in vain is not written over what another process found.
  if (ticket === undefined && now.song !== null) return
  if (found.song === null && found.trackId !== null) {
    // Its analysis may have ended since: then nobody else tells the item.
    const num = songOfTrack(context, found.trackId)
    if (num !== undefined) Object.assign(found, { song: num, artist: song.store.artistOf(num) })
  }
  store.resolve(item.num, found, revision)
  if (ticket) for (const info of infos) store.addInfo(ticket.num, item.itemId, info)
}

/** Grows with each change of songs and artists. */
export function revisionOf({ song, artist }: Pick<CatalogRoom, 'song' | 'artist'>): number {
  return song.store.columns.revision + artist.store.columns.revision
}

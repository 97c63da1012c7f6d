import { DatabaseError } from '../errors.ts'
import type { CatalogContext } from './context.ts'
import { type Resolution, resolveItem, songOfTrack } from './resolve.ts'
import type { CatalogRow, ItemRow, TicketRow } from './store.ts'
import { breathe } from './turn.ts'

/** Milliseconds of work before others come between. */
const STEP = 8

/**
 * Resolves items, and writes what was found unless they changed meanwhile.
 *
 * @param ticket - the update that they wait for; none when they were tried before, in vain
 */
export async function resolveAll(
  context: CatalogContext,
  { type }: Pick<CatalogRow, 'type'>,
  items: readonly ItemRow[],
  ticket: TicketRow | undefined,
  signal: AbortSignal,
): Promise<void> {
  const revision = revisionOf(context)
  let found: [ItemRow, Resolution][] = []
  let until = performance.now() + STEP
  const write = () => {
    context.store.inStep(() => {
      for (const [item, resolution] of found) writeOne(context, item, resolution, ticket, revision)
      if (ticket) context.store.countResolution(ticket, found.length)
    })
    found = []
  }
  for (const item of items) {
    found.push([item, await resolveOne(context, type, item, ticket?.analyze === 1, signal)])
    if (performance.now() < until) continue
    write()
    await breathe(signal)
    until = performance.now() + STEP
  }
  write()
  await breathe(signal)
}

/** One item that nothing can be made of must not cost the others. */
function resolveOne(
  context: CatalogContext,
  type: CatalogRow['type'],
  item: ItemRow,
  analyze: boolean,
  signal: AbortSignal,
): Resolution | Promise<Resolution> {
  const failed = (error: unknown): Resolution => {
    signal.throwIfAborted()
    if (!(error instanceof Error) || error instanceof DatabaseError) throw error
    if (error.name === 'SqliteError') throw error
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
  context: CatalogContext,
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
export function revisionOf({ song, artist }: Pick<CatalogContext, 'song' | 'artist'>): number {
  return song.store.columns.revision + artist.store.columns.revision
}

import type {
  Audile,
  Catalog,
  CatalogEntry,
  CatalogItem,
  Params,
  TicketStatus,
  UpdateOptions,
} from '../../src/index.ts'

let made = 0

/** A new catalog of songs, or of artists, under a name of its own. */
export function newCatalog(music: Audile, type: 'song' | 'artist' = 'song'): Promise<Catalog> {
  return music.catalogs.create({ name: `Catalog ${++made}`, type })
}

/** Updates a catalog and waits for the end. */
export async function update(
  catalog: Catalog,
  entries: Iterable<CatalogEntry> | AsyncIterable<CatalogEntry>,
  options: UpdateOptions = {},
): Promise<TicketStatus> {
  const ticket = await catalog.update(entries, options)
  return ticket.done()
}

/** One item of a catalog as it is read now. */
export async function itemOf(
  catalog: Catalog,
  itemId: string,
  bucket: NonNullable<Params<'catalog/read'>['bucket']> = [],
): Promise<CatalogItem | undefined> {
  const { items } = await catalog.read({ itemId, bucket })
  return items[0]
}

/** Resolves when the next job of a kind is complete. */
export function jobComplete(music: Audile, kind: string): Promise<void> {
  return new Promise((resolve) => {
    const off = music.on('job', (event) => {
      if (event.kind !== kind || event.state !== 'complete') return
      off()
      resolve()
    })
  })
}

/** A clock that stands until it is moved. */
export class Clock {
  time: number
  readonly now = () => this.time

  constructor(start = '2011-07-14T20:15:49.500Z') {
    this.time = Date.parse(start)
  }
}

/**
 * Moves the clock on until a delayed job of a kind is due, and waits for it to be done. Something has
 * to happen for the engine to look for due jobs: a catalog without entries does.
 */
export async function whenDue(music: Audile, clock: Clock, kind: string): Promise<void> {
  const done = jobComplete(music, kind)
  clock.time += 10_000
  const catalog = await newCatalog(music)
  await catalog.update([])
  await done
}

/** All that an async iterable yields. */
export async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

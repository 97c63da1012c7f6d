import { decayed, popularity, shrunk } from '../artist/popularity.ts'
import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import type { Listened, ListeningRow } from './listening-store.ts'
import type { CatalogRoom } from './room.ts'

const POPULARITY_JOB = 'catalog/popularity'

const READ = 200
const WRITTEN = 50
const REMOVED = 250
/** A smaller change is not written. Before the comparison it is shrunk like the values. */
const LEAST = 0.002
/** Milliseconds after an update, because most updates come in groups. */
const SOON = 2_000

/** Schedules the computation of popularity; inside the transaction that changes catalogs. */
export function updatePopularitySoon(room: CatalogRoom): void {
  room.isPopularityStale = true
  room.enqueue({ kind: POPULARITY_JOB, subject: 'all', after: SOON })
}

/**
 * The job that computes familiarity and hotttnesss from catalogs (see `artist/popularity.ts`), and
 * removes the contents of deleted catalogs, which no longer count.
 */
export function popularityJob(room: CatalogRoom): Handler {
  return {
    kind: POPULARITY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      room.isPopularityStale = false
      // In steps: a catalog may have had 100,000 items.
      while (room.atomically.step(() => room.catalogs.removeDeleted(REMOVED))) await jobTurn(signal)
      for (const of of ['artist', 'song'] as const) {
        await compute(room, of, signal)
        await clear(room, of, signal)
      }
      return () => {}
    },
    // Changes during the run may be missing.
    settled() {
      if (room.isPopularityStale) updatePopularitySoon(room)
    },
  }
}

interface Popularity {
  num: number
  familiarity: number
  hotttnesss: number
  least: number
}

async function compute(room: CatalogRoom, of: Listened, signal: AbortSignal): Promise<void> {
  const all = await readListening(room, of, signal)
  // A single catalog has no listeners to count: its items and plays count instead.
  const isSingle = (room.listening.countListeners() ?? 0) < 2
  const known = ({ listeners, items, plays }: Listening) => (isSingle ? items + plays : listeners)
  const most = all.reduce((max, one) => Math.max(max, known(one)), 0)
  const hottest = all.reduce((max, { heat }) => Math.max(max, heat), 0)
  for (let i = 0; i < all.length; i += WRITTEN) {
    const values = all.slice(i, i + WRITTEN).map((one) => ({
      num: one.num,
      familiarity: shrunk(popularity(known(one), most), one.listeners),
      hotttnesss: shrunk(popularity(one.heat, hottest), one.listeners),
      least: shrunk(LEAST, one.listeners),
    }))
    write(room, of, values)
    await jobTurn(signal)
  }
}

async function clear(room: CatalogRoom, of: Listened, signal: AbortSignal): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = room.listening[`${of}Computed`](after, WRITTEN)
    const gone = page.filter(({ isListenedTo }) => isListenedTo === 0)
    const nothing = gone.map(({ num }) => ({ num, familiarity: 0, hotttnesss: 0, least: 0 }))
    write(room, of, nothing)
    after = page.at(-1)?.num
    await jobTurn(signal)
  }
}

type Listening = Omit<ListeningRow, 'heats'> & { heat: number }

async function readListening(
  { listening, now }: CatalogRoom,
  of: Listened,
  signal: AbortSignal,
): Promise<Listening[]> {
  const all: Listening[] = []
  const time = now()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: ListeningRow[] = listening[`${of}Listening`](after, READ)
    for (const { heats, ...one } of page) {
      const plays = JSON.parse(heats ?? '[]') as { heat: number; at: number }[]
      const heat = plays.reduce((sum, { heat, at }) => sum + decayed(heat, at, time), 0)
      all.push({ ...one, heat })
    }
    after = page.at(-1)?.num
    await jobTurn(signal)
  }
  return all
}

function write(room: CatalogRoom, of: Listened, values: readonly Popularity[]): void {
  if (values.length === 0) return
  const { store } = room[of]
  room.atomically.step(() => {
    const changed = values.filter((one) => store.putHeard(one).changes > 0)
    store.index(changed.map(({ num }) => num))
  })
}

import { decayHeat, scalePopularity, shrinkPopularity } from '../artist/popularity.ts'
import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import type { ListenedKind, ListeningRow } from './listening-store.ts'
import type { CatalogRoom } from './room.ts'

const POPULARITY_JOB = 'catalog/popularity'

const READ_ROWS = 200
const WRITTEN_ROWS = 50
const REMOVED_ROWS = 250
/** A smaller change is not written; it is shrunk like the values. */
const LEAST_CHANGE = 0.002
/** Most updates come in groups. */
const POPULARITY_DELAY_MILLISECONDS = 2_000

/** Called inside the transaction that changes catalogs. */
export function updatePopularitySoon(room: CatalogRoom): void {
  room.isPopularityStale = true
  room.enqueue({ kind: POPULARITY_JOB, subject: 'all', after: POPULARITY_DELAY_MILLISECONDS })
}

/** Computes popularity from catalogs, and removes deleted ones, which no longer count. */
export function popularityJob(room: CatalogRoom): Handler {
  return {
    kind: POPULARITY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      room.isPopularityStale = false
      // In steps: a catalog may have had 100,000 items.
      while (room.atomically.step(() => room.catalogs.removeDeleted(REMOVED_ROWS)))
        await jobTurn(signal)
      for (const kind of ['artist', 'song'] as const) {
        await computePopularity(room, kind, signal)
        await clearPopularity(room, kind, signal)
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

async function computePopularity(
  room: CatalogRoom,
  kind: ListenedKind,
  signal: AbortSignal,
): Promise<void> {
  const listened = await readListening(room, kind, signal)
  // A single catalog has no listeners to count: its items and plays count instead.
  const isSingle = (room.listening.countListeners() ?? 0) < 2
  const countListening = ({ listeners, items, plays }: ListeningHeat) =>
    isSingle ? items + plays : listeners
  const highestCount = listened.reduce((max, row) => Math.max(max, countListening(row)), 0)
  const highestHeat = listened.reduce((max, { heat }) => Math.max(max, heat), 0)
  for (let i = 0; i < listened.length; i += WRITTEN_ROWS) {
    const values = listened.slice(i, i + WRITTEN_ROWS).map((row) => ({
      num: row.num,
      familiarity: shrinkPopularity(
        scalePopularity(countListening(row), highestCount),
        row.listeners,
      ),
      hotttnesss: shrinkPopularity(scalePopularity(row.heat, highestHeat), row.listeners),
      least: shrinkPopularity(LEAST_CHANGE, row.listeners),
    }))
    writePopularity(room, kind, values)
    await jobTurn(signal)
  }
}

async function clearPopularity(
  room: CatalogRoom,
  kind: ListenedKind,
  signal: AbortSignal,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = room.listening[`${kind}Computed`](after, WRITTEN_ROWS)
    const unheard = page.filter(({ isListenedTo }) => isListenedTo === 0)
    const zeros = unheard.map(({ num }) => ({ num, familiarity: 0, hotttnesss: 0, least: 0 }))
    writePopularity(room, kind, zeros)
    after = page.at(-1)?.num
    await jobTurn(signal)
  }
}

type ListeningHeat = Omit<ListeningRow, 'heats'> & { heat: number }

async function readListening(
  { listening, now }: CatalogRoom,
  kind: ListenedKind,
  signal: AbortSignal,
): Promise<ListeningHeat[]> {
  const listened: ListeningHeat[] = []
  const time = now()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: ListeningRow[] = listening[`${kind}Listening`](after, READ_ROWS)
    for (const { heats, ...row } of page) {
      const plays = JSON.parse(heats ?? '[]') as { heat: number; at: number }[]
      const heat = plays.reduce((sum, { heat, at }) => sum + decayHeat(heat, at, time), 0)
      listened.push({ ...row, heat })
    }
    after = page.at(-1)?.num
    await jobTurn(signal)
  }
  return listened
}

function writePopularity(
  room: CatalogRoom,
  kind: ListenedKind,
  values: readonly Popularity[],
): void {
  if (values.length === 0) return
  const { store } = room[kind]
  room.atomically.step(() => {
    const changed = values.filter((popularity) => store.putHeard(popularity).changes > 0)
    store.updateIndex(changed.map(({ num }) => num))
  })
}

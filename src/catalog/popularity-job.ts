import { decayed, popularity, shrunk } from '../artist/popularity.ts'
import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { sweep } from './remove-deleted.ts'
import type { CatalogRoom } from './room.ts'
import type { CatalogStore, ListeningRow } from './store.ts'

/** The kind of the job that reckons how well known artists and songs are; the subject is `all`. */
const POPULARITY_JOB = 'catalog/popularity'

/** Artists or songs that are read together, and that are written. */
const STEP = 200
const WRITTEN = 50
/** A change that is less is not written; it is shrunk as the values are. */
const LEAST = 0.002

type Listening = Omit<ListeningRow, 'heats'>
type Heard = [num: number, { familiarity: number; hotttnesss: number }, least: number]

/** Milliseconds after an update; most come in crowds. */
const SOON = 2_000

/** Where something changed since the job last began: what is reckoned now may not hold it. */
const stale = new WeakSet<CatalogStore>()

/** Has popularity reckoned; inside the transaction that changes what is listened to. */
export function reckonSoon({ store, enqueue }: CatalogRoom): void {
  stale.add(store)
  enqueue({ kind: POPULARITY_JOB, subject: 'all', after: SOON })
}

/** The job that reckons familiarity and hotttnesss from catalogs; see `artist/popularity.ts`. */
export function popularityJob(context: CatalogRoom): Handler {
  return {
    kind: POPULARITY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      stale.delete(context.store)
      // What is not there any more is not listened to.
      await sweep(context.store, signal)
      for (const of of ['artist', 'song'] as const) await reckon(context, of, signal)
      return () => {}
    },
    failed() {},
    settled() {
      if (stale.has(context.store)) reckonSoon(context)
    },
  }
}

async function reckon(
  context: CatalogRoom,
  of: 'artist' | 'song',
  signal: AbortSignal,
): Promise<void> {
  const all = await listeningTo(context, of, signal)
  const one = context.store.countListeners() < 2
  const known = ({ listeners, items, plays }: Listening) => (one ? items + plays : listeners)
  const most = all.reduce((max, listening) => Math.max(max, known(listening)), 0)
  const hottest = all.reduce((max, { heat }) => Math.max(max, heat), 0)
  const heard = all.map(
    (listening): Heard => [
      listening.num,
      {
        familiarity: shrunk(popularity(known(listening), most), listening.listeners),
        hotttnesss: shrunk(popularity(listening.heat, hottest), listening.listeners),
      },
      shrunk(LEAST, listening.listeners),
    ],
  )
  for (let i = 0; i < heard.length; i += WRITTEN) {
    write(context, of, heard.slice(i, i + WRITTEN))
    await jobTurn(signal)
  }
  const nothing = { familiarity: 0, hotttnesss: 0 }
  for (let after = 0; ; ) {
    const page = context.store.heard(of, after, WRITTEN)
    const gone = page.filter(({ listened }) => listened === 0)
    write(
      context,
      of,
      gone.map(({ num }): Heard => [num, nothing, 0]),
    )
    const last = page.at(-1)
    if (!last) return
    after = last.num
    await jobTurn(signal)
  }
}

async function listeningTo(
  { store, now }: CatalogRoom,
  of: 'artist' | 'song',
  signal: AbortSignal,
): Promise<(Listening & { heat: number })[]> {
  const all: (Listening & { heat: number })[] = []
  const time = now()
  for (let after = 0; ; ) {
    const page = store.listening(of, after, STEP)
    for (const { heats, ...one } of page) {
      const heat = heats.reduce((total, { heat, at }) => total + decayed(heat, at, time), 0)
      all.push({ ...one, heat })
    }
    const last = page.at(-1)
    if (!last) return all
    after = last.num
    await jobTurn(signal)
  }
}

function write(
  { store, artist, song }: CatalogRoom,
  of: 'artist' | 'song',
  heard: readonly Heard[],
): void {
  if (heard.length === 0) return
  store.atomically.step(() => {
    const changed: number[] = []
    for (const [num, { familiarity, hotttnesss }, least] of heard) {
      const written =
        of === 'artist'
          ? artist.store.setHeard(num, { familiarity, hotttnesss }, least)
          : song.store.setHeard(num, hotttnesss, least)
      if (written) changed.push(num)
    }
    if (of === 'artist') artist.store.index(changed)
    else song.store.index(changed)
  })
}

import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { performance, sleep } from '../kernel/timers.ts'
import { isCertain } from './resolve.ts'
import { resolveItems, revisionOf } from './resolve-items.ts'
import type { CatalogRoom } from './room.ts'

const RETRY_JOB = 'catalog/retry'
const RETRIED_ITEMS = 256
/** An import makes many changes. */
const RETRY_DELAY_MILLISECONDS = 2_000
/** In multiples of the run's length: while tracks arrive, most tries fail. */
const PAUSE_FACTOR = 9

/** If there are unresolved items, after songs or artists changed. */
export function retrySoon(room: CatalogRoom): void {
  if (room.items.unresolved(revisionOf(room), 1).length === 0) return
  room.enqueue({ kind: RETRY_JOB, subject: 'all', after: RETRY_DELAY_MILLISECONDS, priority: -1 })
}

/** The least recently tried items first. */
export function retryJob(room: CatalogRoom): Handler {
  let restsUntil = 0
  return {
    kind: RETRY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      const pause = restsUntil - performance.now()
      if (pause > 0) await sleep(pause, undefined, { signal, ref: false })
      const started = performance.now()
      // Later changes wait for the next run, or a long import would keep this one going.
      const revision = revisionOf(room)
      for (;;) {
        const items = room.items.unresolved(revision, RETRIED_ITEMS)
        if (items.length === 0) break
        await resolveItems(room, items, signal)
        await jobTurn(signal)
      }
      const ended = performance.now()
      restsUntil = ended + PAUSE_FACTOR * (ended - started)
      return () => {}
    },
    // A change at the end of the run added no job, because this one was still in the queue.
    settled: () => retrySoon(room),
  }
}

/** Called inside the transaction that completes the analysis; then other items are tried again. */
export function resolveTrack(room: CatalogRoom, trackId: string, songId: string): void {
  const { store } = room.song
  const song = store.numOf(songId)
  if (song === undefined) return
  const artist = store.artistOf(song) ?? null
  room.items.resolveTrack({ trackId, song, artist, isCertain: isCertain(room, song) ? 1 : 0 })
  retrySoon(room)
}

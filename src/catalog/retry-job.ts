import type { Handler } from '../kernel/jobs/handler.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { performance, sleep } from '../kernel/timers.ts'
import { isCertain } from './resolve.ts'
import { resolveItems, revisionOf } from './resolve-items.ts'
import type { CatalogRoom } from './room.ts'

const RETRY_JOB = 'catalog/retry'
const ITEMS = 256
/** Milliseconds after a change of songs or artists; an import makes many changes. */
const SOON = 2_000
/** The pause after a run, in multiples of its length: while tracks arrive, most tries fail. */
const REST = 9

/** Schedules another try for unresolved items, if there are any, after songs or artists changed. */
export function retrySoon(room: CatalogRoom): void {
  if (room.items.unresolved(revisionOf(room), 1).length === 0) return
  room.enqueue({ kind: RETRY_JOB, subject: 'all', after: SOON, priority: -1 })
}

/** The job that tries to resolve unresolved items again, the least recently tried first. */
export function retryJob(room: CatalogRoom): Handler {
  let restsUntil = 0
  return {
    kind: RETRY_JOB,
    concurrency: 1,
    async run(_job, { signal }) {
      const rest = restsUntil - performance.now()
      if (rest > 0) await sleep(rest, undefined, { signal, ref: false })
      const started = performance.now()
      // Later changes wait for the next run; otherwise a long import would keep this run going.
      const revision = revisionOf(room)
      for (;;) {
        const items = room.items.unresolved(revision, ITEMS)
        if (items.length === 0) break
        await resolveItems(room, items, signal)
        await jobTurn(signal)
      }
      const ended = performance.now()
      restsUntil = ended + REST * (ended - started)
      return () => {}
    },
    // A change at the end of the run added no job, because this one was still in the queue.
    settled: () => retrySoon(room),
  }
}

/**
 * Resolves the items that wait for a track to its song, inside the transaction that completes its
 * analysis. Then other items are tried again, which may be the same song.
 */
export function resolveTrack(room: CatalogRoom, trackId: string, songId: string): void {
  const { store } = room.song
  const song = store.numOf(songId)
  if (song === undefined) return
  const artist = store.artistOf(song) ?? null
  room.items.resolveTrack({ trackId, song, artist, isCertain: isCertain(room, song) ? 1 : 0 })
  retrySoon(room)
}

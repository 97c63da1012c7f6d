import { DESCRIPTOR, describingSound } from '../analysis/descriptor.ts'
import { SKETCH_VERSION, sketching } from '../fingerprint/sketch.ts'
import type { Host } from '../kernel/host.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import { readDocument } from './read-document.ts'
import type { TrackStore } from './store.ts'

/** What is stored of sounds is comparable within one version only. */
export const SOUND_VERSION = `${DESCRIPTOR.version}.${SKETCH_VERSION}`

/** Rows that are read at a time. */
const PAGE = 500

/**
 * Takes down the sounds of tracks that were analysed before there was such a thing, or with another
 * version, from their stored analyses: about 20 ms each.
 *
 * @param until - on the clock of `performance.now()`; what is left then is for another call
 * @returns whether all is done
 * @throws the signal's reason when it aborts before the end; what was done stays
 */
export async function takeDownSounds(
  { store, host }: { store: TrackStore; host: Host },
  signal: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (store.countSounds(SOUND_VERSION).count === store.countAnalyses()) return true
  for (let after = ''; ; ) {
    const page = store.analyzedAfter(after, SOUND_VERSION, PAGE)
    for (const { trackId, sounds } of page) {
      if (sounds === 1) continue
      if (performance.now() >= until) return false
      const stored = store.document(trackId)
      if (!stored) continue
      try {
        const document = await readDocument(stored, signal)
        store.setSound(trackId, SOUND_VERSION, {
          descriptor: await inTurns(describingSound(document), signal),
          sketch: await inTurns(sketching(document.track), signal),
        })
      } catch (error) {
        signal.throwIfAborted()
        if ((error as Error).name === 'SqliteError') throw error
        host.log('warn', `The stored analysis of ${trackId} is damaged.`, error)
      }
    }
    await pause(signal)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return true
    after = last.trackId
  }
}

import { DESCRIPTOR, describingSound } from '../analysis/descriptor.ts'
import { SKETCH_VERSION, sketching } from '../fingerprint/sketch.ts'
import type { Host } from '../kernel/host.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { readDocument } from './read-document.ts'

/** Descriptors and sketches are comparable within one version only. */
export const SOUND_VERSION = `${DESCRIPTOR.version}.${SKETCH_VERSION}`

/** The numbers of a stored sketch; a copy, as a blob need not be aligned. */
export function storedSketch(sketch: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(sketch).buffer)
}

/** The numbers of a stored descriptor. */
export function storedDescriptor(descriptor: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(descriptor).buffer)
}

/** Rows read at a time. */
const PAGE = 500

/**
 * Stores the descriptors and sketches of tracks that an older version analysed, from their stored
 * analyses: about 20 ms each.
 *
 * @param until - time on the clock of `performance.now()` at which to stop; another call goes on
 * @returns whether no track is left
 * @throws the signal's reason when it aborts before the end; what is stored stays
 */
export async function addMissingSounds(
  { analyses: store, host }: { analyses: AnalysisStore; host: Host },
  signal: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (store.countSounds(SOUND_VERSION).count === store.countAnalyses()) return true
  for (let after = ''; ; ) {
    const page = store.analyzedAfter({ trackId: after, version: SOUND_VERSION, results: PAGE })
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
        if (error instanceof Error && error.name === 'SqliteError') throw error
        host.log('warn', `The stored analysis of ${trackId} is damaged.`, error)
      }
    }
    await pause(signal)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return true
    after = last.trackId
  }
}

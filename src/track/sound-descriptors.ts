import { DESCRIPTOR, describingSound } from '../analysis/descriptor.ts'
import type { Host } from '../kernel/host.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { readDocument } from './read-document.ts'

/** Descriptors are comparable within one version only. Older databases have this suffix. */
export const SOUND_VERSION = `${DESCRIPTOR.version}.1`

/** The numbers of a stored descriptor. */
export function storedDescriptor(descriptor: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(descriptor).buffer)
}

/** Rows read at a time. */
const PAGE = 500

/**
 * Stores the descriptors of tracks that an older version analysed, from their stored
 * analyses: about 20 ms each.
 *
 * @throws the signal's reason when it aborts before the end; what is stored stays
 */
export async function addMissingSounds(
  { analyses: store, host }: { analyses: AnalysisStore; host: Host },
  signal: AbortSignal,
): Promise<void> {
  if (store.countSounds(SOUND_VERSION).count === store.countDocuments()) return
  for (let after = ''; ; ) {
    const page = store.analyzedAfter({ trackId: after, version: SOUND_VERSION, results: PAGE })
    for (const { trackId, sounds } of page) {
      if (sounds === 1) continue
      const stored = store.document(trackId)
      if (!stored) continue
      try {
        const document = await readDocument(stored, signal)
        const descriptor = await inTurns(describingSound(document), signal)
        store.setDescriptor(trackId, SOUND_VERSION, descriptor)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Error && error.name === 'SqliteError') throw error
        host.log('warn', `The stored analysis of ${trackId} is damaged.`, error)
      }
    }
    await pause(signal)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.trackId
  }
}

import type { Kernel } from '../kernel/kernel.ts'
import { CodeIndex } from './index/code-index.ts'
import { packJob, packSoon } from './index/pack-job.ts'
import { Recognizer } from './recognize.ts'
import { RecordingStore } from './recording-store.ts'
import { openReferences, type Reference } from './references.ts'

/** The recordings whose fingerprints are known, and the index of them. */
export interface RecordingRoom extends Kernel {
  recordings: RecordingStore
  recognizer: Recognizer
  references: readonly Reference[]
}

export function openRecordings(kernel: Kernel): RecordingRoom {
  const recordings = new RecordingStore(kernel.db)
  const references = openReferences(kernel.config)
  const recognizer = new Recognizer(recordings, new CodeIndex(recordings), references)
  const room = { ...kernel, recordings, recognizer, references }
  kernel.handle(packJob(recordings))
  // A job that was given up, on a full disk say, has left its work where it was.
  packSoon(room)
  return room
}

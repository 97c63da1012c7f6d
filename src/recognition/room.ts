import type { Kernel } from '../kernel/kernel.ts'
import { CodeIndex } from './index/code-index.ts'
import { enqueuePacking, packJob } from './index/pack-job.ts'
import { Recognizer } from './recognize.ts'
import { RecordingStore } from './recording-store.ts'
import { type AnyReference, type FileReference, isServed, openReferences } from './references.ts'
import { AskedShard } from './shards/asked-shard.ts'
import type { ServedReference } from './shards/served-reference.ts'

/** The recordings with fingerprints, and their index. */
export interface RecordingRoom extends Kernel {
  recordings: RecordingStore
  recognizer: Recognizer
  /** Answers engines that have this database as a reference. */
  shard: AskedShard
  /** The references that are files. */
  references: readonly FileReference[]
  served: ReadonlyMap<string, ServedReference>
  /** All references, in the order of the option. */
  allReferences: readonly AnyReference[]
}

export async function openRecordings(kernel: Kernel): Promise<RecordingRoom> {
  const recordings = new RecordingStore(kernel.db)
  const allReferences = await openReferences(kernel)
  const index = new CodeIndex(recordings)
  const recognizer = new Recognizer(recordings, index, allReferences)
  const room: RecordingRoom = {
    ...kernel,
    recordings,
    recognizer,
    allReferences,
    shard: new AskedShard(recordings, index),
    references: allReferences.filter(
      (reference): reference is FileReference => !isServed(reference),
    ),
    served: new Map(allReferences.filter(isServed).map((reference) => [reference.name, reference])),
  }
  kernel.handle(packJob(recordings))
  // A job that failed may have left unpacked recordings.
  enqueuePacking(room)
  return room
}

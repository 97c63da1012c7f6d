import type { ArtistStore } from '../artist/store.ts'
import type { NewJob } from '../kernel/jobs/store.ts'
import type { Recognizer } from '../recording/recognize.ts'
import type { RecordingStore } from '../recording/store.ts'
import type { FingerprintResult, FingerprintTask } from '../workers/fingerprint-file.ts'
import type { AudioTags, WithAudio } from './audio-query.ts'
import type { SongStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface SongContext {
  store: SongStore
  artists: ArtistStore
  recordings: RecordingStore
  recognizer: Recognizer
  /** The item of a catalog, by its id there; `undefined` when there is no such catalog or item. */
  catalogItem(catalogId: string, itemId: string): { songId?: string; artistId?: string } | undefined
  /** The ids that a song has in a catalog; empty when it is no catalog's id. */
  catalogItems(catalogId: string, songId: string): string[]
  /** The songs in a catalog; `undefined` when it is no catalog's id. */
  songsOfCatalog(catalogId: string): string[] | undefined
  /** Told when songs came or changed; inside the transaction that did it. */
  changed(): void
  now(): number
  /** Puts a job in the queue; inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  /** Has audio on disk while `use` runs. */
  withAudio: WithAudio
  /** What the tags of a file say of it. */
  tagsOf(path: string, signal: AbortSignal): Promise<AudioTags>
  /** Takes the fingerprints of a file, in a worker. */
  takeFingerprints(
    task: Omit<FingerprintTask, 'decode'>,
    signal: AbortSignal,
  ): Promise<FingerprintResult>
}

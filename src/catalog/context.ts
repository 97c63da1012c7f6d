import type { ArtistContext } from '../artist/context.ts'
import type { Host } from '../call.ts'
import type { Emit } from '../kernel/events.ts'
import type { NewJob } from '../kernel/jobs/store.ts'
import type { Changes } from '../kernel/wait-for-change.ts'
import type { Limits } from '../options.ts'
import type { SongContext } from '../song/context.ts'
import type { FeedPages } from './feed-pages.ts'
import type { CatalogStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface CatalogContext {
  store: CatalogStore
  limits: Pick<Limits, 'catalogItems' | 'keyCatalogs'>
  song: SongContext
  artist: ArtistContext
  feedPages: FeedPages
  /** Those who wait for tickets. */
  changes: Changes
  emit: Emit
  log: Host['log']
  now(): number
  /** Puts a job in the queue; inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  cancel(kind: string, subject: string): void
  /** Has a file of the user's own analysed; the id of its track. */
  analyzeFile(path: string, signal: AbortSignal): Promise<string>
  /** Whether there is a track of one's own, analysed or not. */
  hasTrack(id: string): boolean
}

/** The kind of the job that applies an update and resolves its items; the subject is the ticket. */
export const UPDATE_JOB = 'catalog/update'
/** The kind of the job that tries items again that could not be resolved. */
export const RETRY_JOB = 'catalog/retry'

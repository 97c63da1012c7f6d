import type { Host } from '../call.ts'
import type { Prints } from '../fingerprint/evidence.ts'
import type { Emit } from '../kernel/events.ts'
import type { NewJob } from '../kernel/jobs/store.ts'
import type { EngineConfig } from '../options.ts'
import type { AnalyzedTrack } from '../song/from-track.ts'
import type { SongStore } from '../song/store.ts'
import type { DuplicateSearches } from './duplicate-search.ts'
import type { TrackWaiters } from './pending-tracks.ts'
import type { SoundSpace } from './sound-space.ts'
import type { TrackStore } from './store.ts'
import type { TagReader } from './tag-reader.ts'
import type { Spool } from './upload-cache.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface TrackContext {
  store: TrackStore
  spool: Spool
  waiters: TrackWaiters
  /** Reads tags where they can do no harm. */
  tags: TagReader
  /** Where tracks that are only named by imports are looked up. */
  songs: SongStore
  space: SoundSpace
  duplicates: DuplicateSearches
  host: Host
  config: EngineConfig
  /** The version that the analyser would write now; results of another one are `unavailable`. */
  analyzerVersion: string
  emit: Emit
  now(): number
  /** Puts a job in the queue; inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  cancel(kind: string, subject: string): void
  /** The song that an analysed track is a recording of; inside the transaction that completes it. */
  songOf(track: AnalyzedTrack, prints: Prints): string
  /** Brings what is indexed of a song up to date; inside the transaction that changes its tracks. */
  songChanged(trackId: string, songId: string): void
  /** Removes a song that was made of tracks, if it has none any more. */
  forgetSong(songId: string): void
  /** The audio format of a file's first bytes, if it is one. */
  sniff(head: Uint8Array): string | undefined
}

/** The kind of the job that analyses a track. */
export const ANALYZE_JOB = 'track/analyze'

/** Priorities of {@link ANALYZE_JOB}: who waits goes first. */
export const PRIORITY = Object.freeze({ background: 0, awaited: 10 })

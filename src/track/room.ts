import type { InputRoom } from '../input/room.ts'
import type { SongRoom } from '../song/room.ts'
import type { Workers } from '../workers/workers.ts'
import type { DuplicateSearches } from './duplicate-search.ts'
import type { SoundSpace } from './sound-space.ts'
import type { TrackStore } from './store.ts'

/** What the room needs of others. */
export interface TrackNeeds {
  input: InputRoom
  song: SongRoom
  workers: Workers
}

/** What the track methods work with. */
export interface TrackRoom extends InputRoom, TrackNeeds {
  readonly name: 'track'
  store: TrackStore
  space: SoundSpace
  duplicates: DuplicateSearches
  /** The version that the analyser would write now; results of another one are `unavailable`. */
  analyzerVersion: string
}

/** The kind of the job that analyses a track. */
export const ANALYZE_JOB = 'track/analyze'

/** Priorities of {@link ANALYZE_JOB}: who waits goes first. */
export const PRIORITY = Object.freeze({ background: 0, awaited: 10 })

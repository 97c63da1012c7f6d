import type { InputRoom } from '../input/room.ts'
import type { SongRoom } from '../song/room.ts'
import type { Workers } from '../workers/workers.ts'
import type { AnalysisStore } from './analysis-store.ts'
import type { CorrectionStore } from './correction-store.ts'
import type { Listings } from './scan.ts'
import type { SoundSpace } from './sound-space.ts'
import type { TrackStore } from './store.ts'

/** The rooms that this one uses. */
export interface TrackNeeds {
  input: InputRoom
  song: SongRoom
  workers: Workers
}

/** The track methods and what they work with. */
export interface TrackRoom extends InputRoom, TrackNeeds {
  readonly name: 'track'
  store: TrackStore
  analyses: AnalysisStore
  corrections: CorrectionStore
  space: SoundSpace
  /** The scans that are under way. */
  listings: Listings
}

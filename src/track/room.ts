import type { InputRoom } from '../input/room.ts'
import type { Turns } from '../kernel/turns.ts'
import type { Codes } from '../recognition/systems/codes.ts'
import type { Family } from '../recognition/systems/version.ts'
import type { SongRoom } from '../song/room.ts'
import type { Workers } from '../workers/workers.ts'
import type { AnalysisStore } from './analysis-store.ts'
import type { CorrectionStore } from './correction-store.ts'
import type { CueStore } from './cue-store.ts'
import type { Handles } from './handles.ts'
import type { HearingStore } from './hearing-store.ts'
import type { Library } from './library-store.ts'
import type { Listing } from './listing.ts'
import type { SoundSpace } from './sound-space.ts'
import type { TrackStore } from './store.ts'
import type { FolderWatch } from './watching.ts'

export interface TrackNeeds {
  input: InputRoom
  song: SongRoom
  workers: Workers
}

export interface TrackRoom extends InputRoom, TrackNeeds {
  readonly name: 'track'
  store: TrackStore
  library: Library
  analyses: AnalysisStore
  corrections: CorrectionStore
  cues: CueStore
  hearings: HearingStore
  /** By id. */
  analysing: Set<string>
  space: SoundSpace
  /** Of the current export, by recording number. */
  exported: Map<number, ReadonlyMap<Family, Codes>>
  listings: Handles<Listing>
  watches: Handles<FolderWatch>
  /** By track id: one call at a time writes the files of a track. */
  writing: Turns<string>
}

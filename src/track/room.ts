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
import type { Watching } from './watching.ts'

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
  /** Tracks that are being analysed here, by id. */
  analysing: Set<string>
  space: SoundSpace
  /** Fingerprints that the current export has collected, by recording number. */
  exported: Map<number, ReadonlyMap<Family, Codes>>
  listings: Handles<Listing>
  watches: Handles<Watching>
  /** One call at a time writes the files of a track, by its id. */
  writing: Turns<string>
}

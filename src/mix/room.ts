import type { ArtistRoom } from '../artist/room.ts'
import type { CatalogRoom } from '../catalog/room.ts'
import type { SongRoom } from '../song/room.ts'
import type { TrackRoom } from '../track/room.ts'

/** The dependencies of this room. */
export interface MixNeeds {
  artist: ArtistRoom
  catalog: CatalogRoom
  song: SongRoom
  track: TrackRoom
}

/** The context of the mix methods. */
export interface MixRoom extends MixNeeds {
  readonly name: 'mix'
  /** The current time in milliseconds since 1970. */
  now(): number
}

import type { ArtistRoom } from '../artist/room.ts'
import { ArtistStore } from '../artist/store.ts'
import type { CatalogIds } from '../catalog/lookup-store.ts'
import type { FileStore } from '../input/file-store.ts'
import type { InputRoom } from '../input/room.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { IndexMerge } from '../recognition/index/merge.ts'
import type { RecordingRoom } from '../recognition/room.ts'
import type { Codes } from '../recognition/systems/codes.ts'
import type { Family } from '../recognition/systems/version.ts'
import type { Workers } from '../workers/workers.ts'
import { OwnTrackStore } from './own-track-store.ts'
import { SongStore } from './store.ts'

interface SongNeeds {
  artist: ArtistRoom
  catalogs: CatalogIds
  input: InputRoom
  recording: RecordingRoom
  workers: Workers
}

export interface SongRoom extends RecordingRoom {
  readonly name: 'song'
  store: SongStore
  artists: ArtistStore
  catalogs: CatalogIds
  input: InputRoom
  ownTracks: OwnTrackStore
  files: FileStore
  workers: Workers
  referenced: ReadonlyMap<string, { store: SongStore; artists: ArtistStore }>
  /** It keeps the data that its sources have not packed. */
  merging: { merge?: IndexMerge | undefined }
  exported: Map<number, Map<Family, Codes>>
  /** To the number of threads. */
  listening: Limiter
}

export function openSongs(kernel: Kernel, needs: SongNeeds): SongRoom {
  const { artist, input, recording, workers } = needs
  return {
    ...kernel,
    ...needs,
    ...recording,
    name: 'song',
    store: new SongStore(kernel.db),
    artists: artist.store,
    ownTracks: new OwnTrackStore(kernel.db),
    files: input.files,
    exported: new Map(),
    merging: {},
    referenced: new Map(
      recording.references.map(({ name, db }) => {
        return [name, { store: new SongStore(db), artists: new ArtistStore(db) }]
      }),
    ),
    listening: new Limiter(workers.width),
  }
}

export function indexSongsOf({ store }: Pick<SongRoom, 'store'>, artists: readonly number[]): void {
  store.updateIndex(artists.flatMap((num) => store.ofArtist(num)))
}

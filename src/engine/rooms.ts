import { type ArtistRoom, openArtists } from '../artist/room.ts'
import { CatalogLookup } from '../catalog/lookup-store.ts'
import { openCatalogs } from '../catalog/open.ts'
import type { CatalogRoom } from '../catalog/room.ts'
import { openFeeds } from '../feed/open.ts'
import { ownRelevance } from '../feed/relevance.ts'
import type { FeedRoom } from '../feed/room.ts'
import { type FleetRoom, openFleet } from '../fleet/room.ts'
import { openInput } from '../input/room.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { type KeyRoom, openKeys } from '../key/room.ts'
import type { MixRoom } from '../mix/room.ts'
import { closeReferences } from '../recognition/references.ts'
import { openRecordings, type RecordingRoom } from '../recognition/room.ts'
import { openSongs, type SongRoom } from '../song/room.ts'
import { openTracks } from '../track/open.ts'
import { ANALYZE_JOB } from '../track/request-analysis.ts'
import type { TrackRoom } from '../track/room.ts'
import { openUpkeep, type UpkeepRoom } from '../upkeep/room.ts'
import type { Workers } from '../workers/workers.ts'
import { listenersOf } from './listeners.ts'

/** By the first part of their methods' names. */
export interface Rooms {
  artist: ArtistRoom
  catalog: CatalogRoom
  feed: FeedRoom
  fleet: FleetRoom
  key: KeyRoom
  mix: MixRoom
  song: SongRoom
  track: TrackRoom
  upkeep: UpkeepRoom
}

/** Each with the rooms that it uses. */
export async function openRooms(kernel: Kernel, workers: Workers): Promise<Rooms> {
  const recording = await openRecordings(kernel)
  try {
    return await openOthers(kernel, workers, recording)
  } catch (error) {
    await closeReferences(recording.allReferences)
    throw error
  }
}

async function openOthers(
  kernel: Kernel,
  workers: Workers,
  recording: RecordingRoom,
): Promise<Rooms> {
  const catalogs = new CatalogLookup(kernel.db)
  const key = openKeys(kernel)
  const input = openInput(kernel, workers)
  const artist = openArtists(kernel, { catalogs, relevanceOf: ownRelevance })
  const song = openSongs(kernel, { artist, catalogs, input, recording, workers })
  const track = await openTracks(kernel, { input, song, workers })
  const upkeep = openUpkeep(kernel, { input })
  const fleet = openFleet(kernel, { workers, analyses: ANALYZE_JOB })
  const feed = openFeeds(kernel, { artist, workers })
  const catalog = openCatalogs(kernel, { artist, song, track })
  kernel.domain.setListeners(listenersOf({ song, feed, catalog }))
  const mix: MixRoom = { name: 'mix', artist, catalog, song, track, now: kernel.now }
  return { artist, catalog, feed, fleet, key, mix, song, track, upkeep }
}

import { resolveTrack, retrySoon } from '../catalog/retry-job.ts'
import type { CatalogRoom } from '../catalog/room.ts'
import { findMentionsSoon } from '../feed/mention-job.ts'
import type { FeedRoom } from '../feed/room.ts'
import type { DomainListeners } from '../kernel/domain-events.ts'
import { indexSongsOf, type SongRoom } from '../song/room.ts'

/** Reactions to an event, inside the transaction that causes it. */
export function listenersOf({
  song,
  feed,
  catalog,
}: {
  song: SongRoom
  feed: FeedRoom
  catalog: CatalogRoom
}): DomainListeners {
  return {
    'track.analysed': ({ trackId, songId }) => resolveTrack(catalog, trackId, songId),
    'songs.changed': () => retrySoon(catalog),
    'artists.changed': () => {
      retrySoon(catalog)
      findMentionsSoon(feed)
    },
    'artists.renamed': ({ artists }) => indexSongsOf(song, artists),
  }
}

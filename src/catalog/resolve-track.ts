import { isCertain } from './resolve.ts'
import { retrySoon } from './retry-job.ts'
import type { CatalogRoom } from './room.ts'

/**
 * Resolves the items that wait for a track to its song; inside the transaction that completes its
 * analysis. Others may be of that song too.
 */
export function resolveTrack(context: CatalogRoom, trackId: string, songId: string): void {
  const song = context.song.store.numOf(songId)
  if (song === undefined) return
  const artist = context.song.store.artistOf(song) ?? null
  context.store.resolveTrack(trackId, { song, artist, certain: isCertain(context, song) })
  retrySoon(context)
}

import type { SongRoom } from './room.ts'

/** Updates the search index of the songs of artists. */
export function indexSongsOf({ store }: Pick<SongRoom, 'store'>, artists: readonly number[]): void {
  store.index(artists.flatMap((num) => store.ofArtist(num)))
}

/** Indexes the songs and artists of a database that is older than the search index. */
export function indexUnindexed({ store, artists }: Pick<SongRoom, 'store' | 'artists'>): void {
  // In one transaction: after a crash, half of it would look like all of it.
  store.atomically(() => {
    artists.index(artists.unindexed())
    store.index(store.unindexed())
  })
}

import type { SongRoom } from './room.ts'

/** Brings what is indexed of songs up to date with the names of their artists. */
export function indexSongsOf({ store }: Pick<SongRoom, 'store'>, artists: readonly number[]): void {
  store.index(artists.flatMap((num) => store.ofArtist(num)))
}

/** Indexes the songs and artists of a database that was made before there was anything to index. */
export function indexUnindexed({ store, artists }: Pick<SongRoom, 'store' | 'artists'>): void {
  // At once: half of it done would look like all of it after a crash.
  store.atomically(() => {
    artists.index(artists.unindexed())
    store.index(store.unindexed())
  })
}

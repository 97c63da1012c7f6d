import type { SongContext } from './context.ts'

/** Indexes the songs and artists of a database that was made before there was anything to index. */
export function indexUnindexed({ store, artists }: Pick<SongContext, 'store' | 'artists'>): void {
  // At once: half of it done would look like all of it after a crash.
  store.atomically(() => {
    artists.index(artists.unindexed())
    store.index(store.unindexed())
  })
}

import type { CatalogContext } from './context.ts'

type Context = Pick<CatalogContext, 'store' | 'song' | 'artist'>

/** What an item of a catalog was resolved to; `undefined` when there is no such item. */
export function itemOf(
  { store, song, artist }: Context,
  catalogId: string,
  itemId: string,
): { songId?: string; artistId?: string } | undefined {
  const catalog = store.byId(catalogId)
  const item = catalog && store.item(catalog.num, itemId)
  if (!item) return undefined
  const songId = item.song === null ? undefined : song.store.idOf(item.song)
  const artistId = item.artist === null ? undefined : artist.store.byNum(item.artist)?.id
  return { ...(songId !== undefined && { songId }), ...(artistId !== undefined && { artistId }) }
}

/** The ids that a song has in a catalog; empty when it is no catalog's id. */
export function itemIdsOf({ store }: Context, catalogId: string, songId: string): string[] {
  const catalog = store.byId(catalogId)
  return catalog ? store.itemIdsOfSong(catalog.num, songId) : []
}

/** The ids that an artist, by number, has in a catalog; empty when it is no catalog's id. */
export function itemIdsOfArtist({ store }: Context, catalogId: string, artist: number): string[] {
  const catalog = store.byId(catalogId)
  return catalog ? store.itemIdsOfArtist(catalog.num, artist) : []
}

/** The songs of a catalog, by id; `undefined` when it is no catalog's id. */
export function songsOf({ store }: Context, catalogId: string): string[] | undefined {
  const catalog = store.byId(catalogId)
  return catalog && store.songsOf(catalog)
}

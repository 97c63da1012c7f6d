import { parseForeignId } from '../values/ids.ts'
import { IMPORTED } from './apply-record.ts'
import type { ArtistRoom } from './room.ts'

/** The id of the artist with a native or foreign id; `undefined` if there is none. */
export function findArtist(
  { store, catalogs }: Pick<ArtistRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  const foreign = parseForeignId(id)
  if (!foreign) return store.byId(id) ? id : store.ids.artist(IMPORTED, id)
  const item = catalogs.item(foreign.catalog, foreign.id)
  return item?.artistId ?? store.ids.artist(foreign.catalog, foreign.id)
}

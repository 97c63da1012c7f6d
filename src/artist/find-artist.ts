import { parseForeignId } from '../ids.ts'
import { IMPORTED } from './apply-record.ts'
import type { ArtistStore } from './store.ts'

/** The service's id of an artist who is named by one, or by a foreign id; `undefined` if unknown. */
export function findArtist(
  {
    store,
    catalogItem,
  }: {
    store: ArtistStore
    /** The item of a catalog, by its id there. */
    catalogItem(catalogId: string, itemId: string): { artistId?: string } | undefined
  },
  id: string,
): string | undefined {
  const foreign = parseForeignId(id)
  if (!foreign) return store.byId(id) ? id : store.byForeignId(IMPORTED, id)
  const item = catalogItem(foreign.catalog, foreign.id)
  return item?.artistId ?? store.byForeignId(foreign.catalog, foreign.id)
}

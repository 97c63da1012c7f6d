import { parseForeignId } from '../ids.ts'
import type { SongStore } from './store.ts'

/** The id space of imported ids that are of no form that is known. */
export const IMPORTED = 'imported'

/** The service's id of a song that is named by one, or by a foreign id; `undefined` if unknown. */
export function findSong(store: SongStore, id: string): string | undefined {
  const foreign = parseForeignId(id)
  if (foreign) return store.byForeignId(foreign.catalog, foreign.id)
  return store.byId(id) ? id : store.byForeignId(IMPORTED, id)
}

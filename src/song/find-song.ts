import { IMPORTED } from '../artist/apply-record.ts'
import { parseForeignId } from '../ids.ts'
import type { SongRoom } from './room.ts'

/** The service's id of a song that is named by one, or by a foreign id; `undefined` if unknown. */
export function findSong(
  { store, catalogs }: Pick<SongRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  const foreign = parseForeignId(id)
  if (!foreign) return store.numOf(id) === undefined ? store.ids.song(IMPORTED, id) : id
  const { catalog, type, id: inside } = foreign
  const item = catalogs.item(catalog, inside)
  if (item?.songId !== undefined) return item.songId
  return type === 'track'
    ? store.ids.songOfForeignTrack({ catalog, id: inside })
    : store.ids.song(catalog, inside)
}

/** The song that a track is of, named by its id or a foreign one. */
export function findSongOfTrack(
  context: Pick<SongRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  if (parseForeignId(id)) return findSong(context, id)
  const { ids } = context.store
  return ids.songOfTrack({ id }) ?? ids.songOfForeignTrack({ catalog: IMPORTED, id })
}

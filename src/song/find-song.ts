import { IMPORTED } from '../artist/apply-record.ts'
import { parseForeignId } from '../ids.ts'
import type { SongRoom } from './room.ts'

/** The id of the song with a native or foreign id; `undefined` if there is none. */
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

/** The id of the song of a track with a native or foreign id. */
export function findSongOfTrack(
  context: Pick<SongRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  if (parseForeignId(id)) return findSong(context, id)
  const { ids } = context.store
  return ids.songOfTrack({ id }) ?? ids.songOfForeignTrack({ catalog: IMPORTED, id })
}

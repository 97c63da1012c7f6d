import { unknownIdentifier } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import { IMPORTED } from './apply-record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow } from './store.ts'

type Context = Pick<ArtistRoom, 'store' | 'catalogs'>

export function findArtist({ store, catalogs }: Context, id: string): ArtistRow | undefined {
  const foreign = parseForeignId(id)
  const known = foreign ? undefined : store.byId(id)
  if (known) return known
  const { catalog, id: inside } = foreign ?? { catalog: IMPORTED, id }
  const item = foreign && catalogs.item(catalog, inside)
  if (item?.artistId !== undefined) return store.byId(item.artistId)
  const num = store.ids.artist(catalog, inside)
  return num === undefined ? undefined : store.byNum(num)
}

/** As {@link findArtist}. @throws {ParameterError} `unknown_identifier` */
export function requireArtist(context: Context, id: string): ArtistRow {
  const artist = findArtist(context, id)
  if (artist) return artist
  throw unknownIdentifier(id)
}

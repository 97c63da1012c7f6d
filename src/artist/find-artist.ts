import { unknownIdentifier } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import { IMPORTED_SPACE } from './apply-record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow } from './store.ts'

type ArtistLookup = Pick<ArtistRoom, 'store' | 'catalogs'>

export function findArtist({ store, catalogs }: ArtistLookup, id: string): ArtistRow | undefined {
  const foreignId = parseForeignId(id)
  const nativeArtist = foreignId ? undefined : store.byId(id)
  if (nativeArtist) return nativeArtist
  const { catalog, id: idInSpace } = foreignId ?? { catalog: IMPORTED_SPACE, id }
  const item = foreignId && catalogs.findItem(catalog, idInSpace)
  if (item?.artistId !== undefined) return store.byId(item.artistId)
  const num = store.ids.artist(catalog, idInSpace)
  return num === undefined ? undefined : store.byNum(num)
}

/** @throws {ParameterError} `unknown_identifier` */
export function requireArtist(context: ArtistLookup, id: string): ArtistRow {
  const artist = findArtist(context, id)
  if (artist) return artist
  throw unknownIdentifier(id)
}

import { IMPORTED_SPACE } from '../artist/apply-record.ts'
import { invalidParameter } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { Asked } from './buckets.ts'
import type { SongRoom } from './room.ts'

type Context = Pick<SongRoom, 'store' | 'catalogs'>

/** The number of the song with a native or foreign id. */
export function findSong({ store, catalogs }: Context, id: string): number | undefined {
  const foreign = parseForeignId(id)
  if (!foreign) return store.numOf(id) ?? store.ids.song(IMPORTED_SPACE, id)
  const item = songOfItem({ catalogs }, id)
  if (item !== undefined) return store.numOf(item)
  const { catalog, type, id: inside } = foreign
  return type === 'track'
    ? store.ids.songOfForeignTrack({ catalog, id: inside })
    : store.ids.song(catalog, inside)
}

/** The song id of a catalog item; `undefined` for other ids. */
export function songOfItem(
  { catalogs }: { catalogs: Pick<SongRoom['catalogs'], 'item'> },
  id: string,
): string | undefined {
  const foreign = parseForeignId(id)
  return foreign && catalogs.item(foreign.catalog, foreign.id)?.songId
}

/** The number of the song of a track with a native or foreign id. */
export function findSongOfTrack(context: Context, id: string): number | undefined {
  if (parseForeignId(id)) return findSong(context, id)
  const { ids } = context.store
  return ids.songOfTrack({ id }) ?? ids.songOfForeignTrack({ catalog: IMPORTED_SPACE, id })
}

/**
 * Returns a function that says whether a song has an id in one of the id spaces of a call, as `has`
 * says, or is in one of its catalogs.
 */
export function inSpaces(
  { catalogs }: Pick<SongRoom, 'catalogs'>,
  asked: Asked,
): (songId: string, has: (space: string) => boolean) => boolean {
  const spaces = spacesOf(asked).map((space) => {
    const members = catalogs.songIds(space)
    return { space, members: members && new Set(members) }
  })
  return (songId, has) =>
    spaces.some(({ space, members }) => (members ? members.has(songId) : has(space)))
}

export function isKnownIn({ ids }: SongRoom['store'], song: number, catalog: string): boolean {
  return ids.ofSong(song, catalog).length > 0 || ids.tracksOfSong({ song, catalog }).length > 0
}

/**
 * A mask with 1 at the number of each song that has an id in one of the id spaces, or is in one of
 * the catalogs.
 */
export function membersOf({ store, catalogs }: Context, asked: Asked): Uint8Array {
  const mask = new Uint8Array(store.columns.readColumns().length)
  for (const space of spacesOf(asked)) {
    const members = catalogs.songIds(space)
    const nums = members ? members.map((id) => store.numOf(id)) : store.inSpace(space)
    for (const num of nums) if (num !== undefined) mask[num] = 1
  }
  return mask
}

/** @throws {ParameterError} `invalid_parameter` when a call names none */
function spacesOf({ spaces }: Asked): readonly string[] {
  if (spaces.length > 0) return spaces
  throw invalidParameter(
    'limit',
    '"true" needs an id space or a catalog, e.g. the bucket "id:musicbrainz"',
  )
}

/** The song and artist stores of a reference, or those of the database if none is named. */
export function placeOf(
  { store, artists, referenced }: Pick<SongRoom, 'store' | 'artists' | 'referenced'>,
  reference: string | undefined,
): Pick<SongRoom, 'store' | 'artists'> {
  if (reference === undefined) return { store, artists }
  const place = referenced.get(reference)
  if (place) return place
  throw invalidParameter('reference', `"${reference}" is not in the option references`)
}

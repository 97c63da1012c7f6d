import { IMPORTED } from '../artist/apply-record.ts'
import { invalidParameter } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { Asked } from './buckets.ts'
import type { SongRoom } from './room.ts'

/** The id of the song with a native or foreign id; `undefined` if there is none. */
export function findSong(
  { store, catalogs }: Pick<SongRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  const foreign = parseForeignId(id)
  if (!foreign) return store.numOf(id) === undefined ? store.ids.song(IMPORTED, id) : id
  const item = songOfItem({ catalogs }, id)
  if (item !== undefined) return item
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

/** The id of the song of a track with a native or foreign id. */
export function findSongOfTrack(
  context: Pick<SongRoom, 'store' | 'catalogs'>,
  id: string,
): string | undefined {
  if (parseForeignId(id)) return findSong(context, id)
  const { ids } = context.store
  return ids.songOfTrack({ id }) ?? ids.songOfForeignTrack({ catalog: IMPORTED, id })
}

type Context = Pick<SongRoom, 'store' | 'catalogs'>

/**
 * Returns a function that says whether a song has an id in one of the id spaces of a call, or is in one
 * of its catalogs.
 *
 * @throws {ParameterError} `invalid_parameter` when the call names none
 */
export function inSpaces(context: Context, asked: Asked): (song: number) => boolean {
  const tests = spacesOf(asked).map((space) => {
    const members = context.catalogs.songIds(space)
    if (!members) return (song: number) => isKnownIn(context.store, song, space)
    const nums = new Set(members.map((id) => context.store.numOf(id)))
    return (song: number) => nums.has(song)
  })
  return (song) => tests.some((test) => test(song))
}

/** Whether a song has an id in a space, or a track. */
export function isKnownIn({ ids }: SongRoom['store'], song: number, catalog: string): boolean {
  return ids.ofSong(song, catalog).length > 0 || ids.tracksOfSong({ song, catalog }).length > 0
}

/**
 * A mask with 1 at the number of each song that has an id in one of the id spaces, or is in one
 * of the catalogs.
 *
 * @throws {ParameterError} `invalid_parameter` when the call names none
 */
export function membersOf({ store, catalogs }: Context, asked: Asked): Uint8Array {
  const mask = new Uint8Array(store.columns.read().length)
  for (const space of spacesOf(asked)) {
    const members = catalogs.songIds(space)
    const nums = members ? members.map((id) => store.numOf(id)) : store.inSpace(space)
    for (const num of nums) if (num !== undefined) mask[num] = 1
  }
  return mask
}

/** @throws {ParameterError} `invalid_parameter` when a call names none */
export function spacesOf({ spaces }: Asked): readonly string[] {
  if (spaces.length > 0) return spaces
  throw invalidParameter(
    'limit',
    '"true" needs an id space or a catalog, e.g. the bucket "id:musicbrainz"',
  )
}

/**
 * The song and artist stores of a reference, or those of the database if none is named.
 *
 * @throws {ParameterError} when there is no such reference
 */
export function placeOf(
  { store, artists, referenced }: Pick<SongRoom, 'store' | 'artists' | 'referenced'>,
  reference: string | undefined,
): Pick<SongRoom, 'store' | 'artists'> {
  if (reference === undefined) return { store, artists }
  const place = referenced.get(reference)
  if (place) return place
  throw invalidParameter('reference', `"${reference}" is not in the option references`)
}

import { IMPORTED_SPACE } from '../artist/apply-record.ts'
import { invalidParameter } from '../values/errors.ts'
import { parseForeignId } from '../values/ids.ts'
import type { AskedBuckets } from './buckets.ts'
import type { SongRoom } from './room.ts'

type SongLookup = Pick<SongRoom, 'store' | 'catalogs'>

/** By a native or foreign id. */
export function findSong({ store, catalogs }: SongLookup, id: string): number | undefined {
  const foreignId = parseForeignId(id)
  if (!foreignId) return store.numOf(id) ?? store.ids.song(IMPORTED_SPACE, id)
  const songId = songOfItem({ catalogs }, id)
  if (songId !== undefined) return store.numOf(songId)
  const { catalog, type, id: idInSpace } = foreignId
  return type === 'track'
    ? store.ids.songOfForeignTrack({ catalog, id: idInSpace })
    : store.ids.song(catalog, idInSpace)
}

/** `undefined` for ids of other things. */
export function songOfItem(
  { catalogs }: { catalogs: Pick<SongRoom['catalogs'], 'findItem'> },
  id: string,
): string | undefined {
  const foreignId = parseForeignId(id)
  return foreignId && catalogs.findItem(foreignId.catalog, foreignId.id)?.songId
}

/** By a native or foreign id of the track. */
export function findSongOfTrack(context: SongLookup, id: string): number | undefined {
  if (parseForeignId(id)) return findSong(context, id)
  const { ids } = context.store
  return ids.songOfTrack({ id }) ?? ids.songOfForeignTrack({ catalog: IMPORTED_SPACE, id })
}

/** Says whether a song has an id in one of the spaces, or is in one of the catalogs, of a call. */
export function inSpaces(
  { catalogs }: Pick<SongRoom, 'catalogs'>,
  askedBuckets: AskedBuckets,
): (songId: string, has: (space: string) => boolean) => boolean {
  const spaces = spacesOf(askedBuckets).map((space) => {
    const members = catalogs.songIds(space)
    return { space, members: members && new Set(members) }
  })
  return (songId, has) =>
    spaces.some(({ space, members }) => (members ? members.has(songId) : has(space)))
}

export function isKnownIn({ ids }: SongRoom['store'], song: number, catalog: string): boolean {
  return ids.ofSong(song, catalog).length > 0 || ids.tracksOfSong({ song, catalog }).length > 0
}

/** 1 at the number of each song with an id in one of the spaces or in one of the catalogs. */
export function membersOf({ store, catalogs }: SongLookup, askedBuckets: AskedBuckets): Uint8Array {
  const mask = new Uint8Array(store.columns.readColumns().length)
  for (const space of spacesOf(askedBuckets)) {
    const members = catalogs.songIds(space)
    const nums = members ? members.map((id) => store.numOf(id)) : store.inSpace(space)
    for (const num of nums) if (num !== undefined) mask[num] = 1
  }
  return mask
}

/** @throws {ParameterError} `invalid_parameter` when a call names none */
function spacesOf({ spaces }: AskedBuckets): readonly string[] {
  if (spaces.length > 0) return spaces
  throw invalidParameter(
    'limit',
    '"true" needs an id space or a catalog, e.g. the bucket "id:musicbrainz"',
  )
}

/** The stores of a reference, or of the database itself. */
export function storesOf(
  { store, artists, referenced }: Pick<SongRoom, 'store' | 'artists' | 'referenced'>,
  reference: string | undefined,
): Pick<SongRoom, 'store' | 'artists'> {
  if (reference === undefined) return { store, artists }
  const stores = referenced.get(reference)
  if (stores) return stores
  throw invalidParameter('reference', `"${reference}" is not in the option references`)
}

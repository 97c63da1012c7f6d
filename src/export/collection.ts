import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  type ListOptions,
  nameOfList,
  requirePath,
} from './export-track.ts'

/** A playlist of a collection. */
export interface ExportPlaylist {
  /** Its name. */
  name: string
  /** Its tracks in their order. Those that the collection lacks are added to it. */
  tracks: ExportTracks
}

/** How a collection is exported. */
export interface CollectionOptions extends ListOptions {
  /** Its playlists, in their order. Without them, all tracks are one. */
  playlists?: readonly ExportPlaylist[] | undefined
}

/** A collection, and its playlists, by the places of their tracks in it. */
export interface Collection<T> {
  tracks: T[]
  playlists: { name: string; places: number[] }[]
}

/** What an export writes of each track of a collection. Playlists find those that it has by their files. */
export async function collectionOf<T>(
  tracks: ExportTracks,
  options: CollectionOptions,
  write: (track: Exported, place: number) => Promise<T>,
): Promise<Collection<T>> {
  const { playlists } = options
  const written: T[] = []
  const places = new Map<string, number>()
  const add = async (track: Exported) => {
    const place = written.length
    written.push(await write(track, place))
    const path = requirePath(track)
    if (!places.has(path)) places.set(path, place)
    return place
  }
  const placesOf = (list: ExportTracks) =>
    eachOf(list, (track) => places.get(requirePath(track)) ?? add(track))
  const exportedTracks = await eachOf(tracks, add)
  const lists: Collection<T>['playlists'] = []
  for (const playlist of playlists ?? []) {
    const name = nameOfList(playlist) ?? 'audile'
    if (lists.some((list) => list.name === name))
      throw invalidParameter('playlists', `has ${quoted(name)} twice; give each a name.`)
    lists.push({ name, places: await placesOf(playlist.tracks) })
  }
  return {
    tracks: written,
    playlists: playlists
      ? lists
      : [{ name: nameOfList(options) ?? 'audile', places: exportedTracks }],
  }
}

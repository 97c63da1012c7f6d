import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import {
  type Exported,
  type ExportTracks,
  eachOf,
  type ListOptions,
  nameOfList,
  requireAbsolutePath,
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

/** By the places of their tracks. */
export interface Collection<T> {
  tracks: T[]
  playlists: { name: string; places: number[] }[]
}

/** Playlists find tracks by their files. */
export async function collectionOf<T>(
  tracks: ExportTracks,
  options: CollectionOptions,
  write: (track: Exported, place: number) => Promise<T>,
): Promise<Collection<T>> {
  const { playlists } = options
  const writtenTracks: T[] = []
  const places = new Map<string, number>()
  const addTrack = async (track: Exported) => {
    const place = writtenTracks.length
    writtenTracks.push(await write(track, place))
    const path = requireAbsolutePath(track)
    if (!places.has(path)) places.set(path, place)
    return place
  }
  const placesOf = (list: ExportTracks) =>
    eachOf(list, (track) => places.get(requireAbsolutePath(track)) ?? addTrack(track))
  const exportedTracks = await eachOf(tracks, addTrack)
  const lists: Collection<T>['playlists'] = []
  for (const playlist of playlists ?? []) {
    const name = nameOfList(playlist) ?? 'audile'
    if (lists.some((list) => list.name === name))
      throw invalidParameter('playlists', `has ${quoted(name)} twice; give each a name.`)
    lists.push({ name, places: await placesOf(playlist.tracks) })
  }
  return {
    tracks: writtenTracks,
    playlists: playlists
      ? lists
      : [{ name: nameOfList(options) ?? 'audile', places: exportedTracks }],
  }
}

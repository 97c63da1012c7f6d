import { text } from './cleaning.ts'
import type { PlayedSong } from './play-history.ts'
import { type Json, objectOf } from './rows.ts'

/** A song in a library or a playlist. */
export type SavedTrack = PlayedSong

const NO_NAME = 'a saved song has no name'

/** A song of `YourLibrary.json`; as a string, why it is left out. */
export function trackOfSaved(saved: Json): SavedTrack | string {
  return trackOf(saved.track, saved.artist, saved.album, saved.uri)
}

/** An item of a playlist; as a string, why it is left out. */
export function trackOfPlaylist(item: Json): SavedTrack | string {
  const track = objectOf(item.track) ?? (text(item.trackName) === undefined ? undefined : item)
  if (track) return trackOf(track.trackName, track.artistName, track.albumName, track.trackUri)
  if (objectOf(item.episode)) return 'an item of a playlist is a podcast episode'
  if (objectOf(item.audiobook)) return 'an item of a playlist is an audiobook'
  const local = text(objectOf(item.localTrack)?.uri)
  if (local === undefined) return 'an item of a playlist names no song'
  const [artist, album, title] = localNames(local)
  return trackOf(title, artist, album, undefined)
}

function trackOf(
  title: unknown,
  artist: unknown,
  album: unknown,
  uri: unknown,
): SavedTrack | string {
  const songName = text(title)
  if (songName === undefined) return NO_NAME
  return { songName, artistName: text(artist), release: text(album), url: text(uri) }
}

/** `spotify:local:<artist>:<album>:<title>:<seconds>`, encoded as in a form. */
function localNames(uri: string): string[] {
  return uri.split(':').slice(2).map(decodedPart)
}

function decodedPart(part: string): string {
  const spaced = part.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

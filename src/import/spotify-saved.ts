import { cleanTextValue } from './cleaning.ts'
import type { PlayedSong } from './play-history.ts'
import { type Json, objectOf } from './rows.ts'

export type SavedTrack = PlayedSong

const NO_NAME = 'a saved song has no name'

/** Of `YourLibrary.json`; a string says why it is left out. */
export function trackOfLibrary(saved: Json): SavedTrack | string {
  return savedTrackOf(saved.track, saved.artist, saved.album, saved.uri)
}

/** A string says why it is left out. */
export function trackOfPlaylist(item: Json): SavedTrack | string {
  const track =
    objectOf(item.track) ?? (cleanTextValue(item.trackName) === undefined ? undefined : item)
  if (track) return savedTrackOf(track.trackName, track.artistName, track.albumName, track.trackUri)
  if (objectOf(item.episode)) return 'an item of a playlist is a podcast episode'
  if (objectOf(item.audiobook)) return 'an item of a playlist is an audiobook'
  const local = cleanTextValue(objectOf(item.localTrack)?.uri)
  if (local === undefined) return 'an item of a playlist names no song'
  const [artist, album, title] = namesOfLocal(local)
  return savedTrackOf(title, artist, album, undefined)
}

function savedTrackOf(
  title: unknown,
  artist: unknown,
  album: unknown,
  uri: unknown,
): SavedTrack | string {
  const songName = cleanTextValue(title)
  if (songName === undefined) return NO_NAME
  return {
    songName,
    artistName: cleanTextValue(artist),
    release: cleanTextValue(album),
    url: cleanTextValue(uri),
  }
}

/** `spotify:local:<artist>:<album>:<title>:<seconds>`, encoded as in a form. */
function namesOfLocal(uri: string): string[] {
  return uri.split(':').slice(2).map(decodedPart)
}

function decodedPart(escapedPart: string): string {
  const spaced = escapedPart.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

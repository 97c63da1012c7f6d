import { decodeEscaped, singleSpaced } from '../values/text.ts'
import { cleanTextValue } from './cleaning.ts'
import { isAddress } from './playlist-location.ts'

export interface ListedTrack {
  location: string | undefined
  /** The format says that the location is a URI. */
  isUri?: boolean
  songName: string | undefined
  artistName: string | undefined
  release?: string | undefined
  trackNumber?: unknown
}

type SongNames = Pick<ListedTrack, 'songName' | 'artistName'>

/** The artist may have a field of its own. */
export function namesOfListed(
  title: string | undefined,
  artistName: string | undefined,
): SongNames {
  return artistName === undefined ? namesInField(title) : { songName: title, artistName }
}

/** `Artist - Title`, or the title alone. */
export function namesInField(field: string | undefined): SongNames {
  if (field === undefined) return { songName: undefined, artistName: undefined }
  const names = singleSpaced(field)
  const dashPosition = names.search(/ [-–—] /)
  return dashPosition <= 0
    ? { songName: field, artistName: undefined }
    : {
        songName: cleanTextValue(names.slice(dashPosition + 3)),
        artistName: cleanTextValue(names.slice(0, dashPosition)),
      }
}

/** `01 - `, `1. `, `01 `, but not in `99 Luftballons`. */
const TRACK_NUMBER = /^(?:\d{1,3}(?:\s+-|-|\.)\s+|0\d\s+)(?=\S)/

/** A stream without an ending has none. */
export function namesInFileName(location: string): SongNames {
  const isStream = isAddress(location) && !/^file:/i.test(location)
  const address = location.replace(/[?#].*$/s, '')
  const path = isAddress(location) ? (decodeEscaped(address) ?? address) : location
  const file = path.split(/[\\/]/).at(-1) ?? ''
  const [, name, ending] = /^(.+?)(\.[a-z0-9]{1,5})?$/i.exec(file) ?? []
  if (isStream && ending === undefined) return namesInField(undefined)
  return namesInField(cleanTextValue(name?.replace(TRACK_NUMBER, '')))
}

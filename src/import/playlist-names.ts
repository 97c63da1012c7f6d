import { decodeEscaped, singleSpaced } from '../values/text.ts'
import { text } from './cleaning.ts'
import { isAddress } from './playlist-location.ts'

/** A track as a playlist describes it. */
export interface ListedTrack {
  location: string | undefined
  /** Whether the location is a URI by the format, and not a path. */
  isUri?: boolean
  songName: string | undefined
  artistName: string | undefined
  release?: string | undefined
  trackNumber?: unknown
}

type SongNames = Pick<ListedTrack, 'songName' | 'artistName'>

/** The names of a track that may have its artist in a field of its own. */
export function namesOfListed(
  title: string | undefined,
  artistName: string | undefined,
): SongNames {
  return artistName === undefined ? namesInField(title) : { songName: title, artistName }
}

/** The names in one field, which is `Artist - Title` or the title alone. */
export function namesInField(field: string | undefined): SongNames {
  if (field === undefined) return { songName: undefined, artistName: undefined }
  const names = singleSpaced(field)
  const at = names.search(/ [-–—] /)
  return at <= 0
    ? { songName: field, artistName: undefined }
    : { songName: text(names.slice(at + 3)), artistName: text(names.slice(0, at)) }
}

/**
 * A track number before a name: `01 - `, `1. `, `01 `, but not in `99 Luftballons` or `7 Seconds`.
 */
const NUMBER = /^(?:\d{1,3}(?:\s+-|-|\.)\s+|0\d\s+)(?=\S)/

/** The names in the name of a file. A stream without an ending has none. */
export function namesInFileName(location: string): SongNames {
  const isStream = isAddress(location) && !/^file:/i.test(location)
  const address = location.replace(/[?#].*$/s, '')
  const path = isAddress(location) ? (decodeEscaped(address) ?? address) : location
  const file = path.split(/[\\/]/).at(-1) ?? ''
  const [, name, ending] = /^(.+?)(\.[a-z0-9]{1,5})?$/i.exec(file) ?? []
  if (isStream && ending === undefined) return namesInField(undefined)
  return namesInField(text(name?.replace(NUMBER, '')))
}

import { singleSpaced } from '../text.ts'
import { text } from './cleaning.ts'

/** The names of a song. */
export interface SongNames {
  songName: string | undefined
  artistName: string | undefined
}

/**
 * The names of a song in a playlist: from its title, which is `Artist - Title` or the title alone;
 * without one, from its file's name. A stream without a title has no names.
 */
export function songNamesOf(title: string | undefined, location: string | undefined): SongNames {
  const field = title ?? (location === undefined ? undefined : nameOfFile(location))
  if (field === undefined) return { songName: undefined, artistName: undefined }
  const names = singleSpaced(field)
  const at = names.search(/ [-–—] /)
  return at <= 0
    ? { songName: field, artistName: undefined }
    : { songName: text(names.slice(at + 3)), artistName: text(names.slice(0, at)) }
}

/** A track number before a name: `01 - `, `1. `, `01 `, but not in `99 Luftballons` or `7 Seconds`. */
const NUMBER = /^(?:\d{1,3}(?:\s+-|-|\.)\s+|0\d\s+)(?=\S)/

function nameOfFile(location: string): string | undefined {
  const isStream = /^[a-z][a-z0-9+.-]+:\/\//i.test(location) && !/^file:/i.test(location)
  const path = /^[a-z][a-z0-9+.-]+:/i.test(location)
    ? decoded(location.replace(/[?#].*$/s, ''))
    : location
  const file = path.split(/[\\/]/).at(-1) ?? ''
  const [, name, ending] = /^(.+?)(\.[a-z0-9]{1,5})?$/i.exec(file) ?? []
  if (isStream && ending === undefined) return undefined
  return text(name?.replace(NUMBER, ''))
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

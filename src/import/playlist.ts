import { isUtf8 } from 'node:buffer'
import { dirname, isAbsolute, resolve } from 'node:path'
import { singleSpaced, unescaped } from '../values/text.ts'
import { type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { text } from './cleaning.ts'
import { bytesOf, type ImportInput, invalidInput, peek } from './input.ts'
import { type Children, readElements } from './xml.ts'

/** Options of `fromPlaylist`. */
export interface PlaylistOptions {
  /** The folder of relative paths. Default: the folder of the playlist, if the input is a path. */
  base?: string | undefined
}

/**
 * Reads a playlist as entries for `catalog.update`: M3U and M3U8 (plain or extended), XSPF or PLS,
 * detected from the content. Each line of an M3U is read as UTF-8, or else as Windows-1252.
 *
 * `Artist - Title` in one field is split at the first dash between spaces; without a title, the
 * file name is the title. Relative paths become absolute. The item id is a hash of the location as
 * the playlist writes it; a location that occurs twice is one item.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the input is not a playlist
 * @example
 * ```ts
 * import { fromPlaylist } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
 * await catalog.update(fromPlaylist('evenings.m3u8'))
 * ```
 */
export async function* fromPlaylist(
  input: ImportInput,
  options: PlaylistOptions = {},
): AsyncGenerator<CatalogEntry, void> {
  const base = options.base ?? (typeof input === 'string' ? dirname(resolve(input)) : undefined)
  const seen = new Set<string>()
  for await (const entry of entriesOf(input)) {
    const { location, songName } = entry
    if (location === undefined && songName === undefined) continue
    const itemId = itemIdOf(...(location === undefined ? [songName, entry.artistName] : [location]))
    if (seen.has(itemId)) continue
    seen.add(itemId)
    yield entryOf({
      itemId,
      songName,
      artistName: entry.artistName,
      release: entry.release,
      trackNumber: entry.trackNumber,
      url: location === undefined ? undefined : absolute(location, base),
    })
  }
}

/** A track as a playlist describes it. */
interface Listed {
  location: string | undefined
  songName: string | undefined
  artistName: string | undefined
  release?: string | undefined
  trackNumber?: unknown
}

async function* entriesOf(given: ImportInput): AsyncGenerator<Listed, void> {
  const { start: opening, input } = await peek(given, 64)
  const start = opening.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^<(?:\?xml|!|playlist)/i.test(start) || /^(?:\xff\xfe<|\xfe\xff)/.test(start)) {
    const wanted = { what: 'an XSPF playlist', root: 'playlist', element: 'track' }
    for await (const track of readElements(input, wanted)) yield listed(track)
    return
  }
  if (start.includes('\0')) throw invalidInput(given, 'is not a playlist: it is not a text')
  if (/^\[playlist\]/i.test(start)) return yield* tracksOfPls(await linesOfText(input))
  const lines = await linesOfText(input)
  // An M3U needs no header, so only a text without any line that names a file is refused.
  if (lines.length > 0 && !lines.some((line) => LOCATION.test(line))) {
    throw invalidInput(given, 'is not a playlist: none of its lines names a file or an address')
  }
  yield* tracksOfM3u(lines)
}

const LOCATION = /[\\/]|\.[a-z0-9]{2,5}$|^#EXT/i

const LARGEST = 1 << 26

/** The lines of a text, each read as UTF-8, or else as Windows-1252. */
async function linesOfText(input: ImportInput): Promise<string[]> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytesOf(input)) {
    pieces.push(piece)
    size += piece.length
    if (size > LARGEST) throw invalidInput(input, 'is not a playlist: it is larger than 64 MiB')
  }
  const utf8 = new TextDecoder()
  const western = new TextDecoder('windows-1252')
  const bytes = Buffer.concat(pieces)
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const lf = bytes.indexOf(10, from)
    const end = lf < 0 ? bytes.length : lf
    const line = bytes.subarray(from, end)
    // Classic Mac OS ended lines with CR alone.
    lines.push(...(isUtf8(line) ? utf8 : western).decode(line).split('\r'))
    from = end + 1
  }
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** `#EXTINF:123 logo="x",Artist - Title`: the title. */
const EXTINF = /^#EXTINF: ?-?[\d.]*(?: [\w-]+=(?:"[^"]*"|[^\s,"][^\s,]*)?)* ?,(.*)$/i

function* tracksOfM3u(lines: readonly string[]): Generator<Listed, void> {
  let title: string | undefined
  let album: string | undefined
  for (const line of lines) {
    if (line.startsWith('#')) {
      title = text(EXTINF.exec(singleSpaced(line))?.[1]) ?? title
      album = text(/^#EXTALB:(.*)$/i.exec(line)?.[1]) ?? album
    } else {
      yield { location: line, release: album, ...songNamesOf(title, line) }
      title = undefined
      album = undefined
    }
  }
}

function* tracksOfPls(lines: readonly string[]): Generator<Listed, void> {
  const tracks = new Map<number, { File?: string; Title?: string }>()
  for (const line of lines) {
    const [, key, number, value] = /^(File|Title)(\d+)\s*=(.*)$/i.exec(line) ?? []
    if (key === undefined || value === undefined) continue
    const track = tracks.get(Number(number)) ?? {}
    track[key.toLowerCase() === 'file' ? 'File' : 'Title'] = value
    tracks.set(Number(number), track)
  }
  for (const [, { File, Title }] of [...tracks].sort(([a], [b]) => a - b)) {
    const location = text(File)
    yield { location, ...songNamesOf(text(Title), location) }
  }
}

function listed(track: Children): Listed {
  const location = text(track.get('location'))
  const artistName = text(track.get('creator'))
  const title = text(track.get('title'))
  return {
    location,
    ...(artistName !== undefined && title !== undefined
      ? { songName: title, artistName }
      : songNamesOf(title, location)),
    ...(artistName !== undefined && { artistName }),
    release: track.get('album'),
    trackNumber: track.get('trackNum'),
  }
}

/** Resolves a relative path in the folder `base`. Addresses and Windows paths stay as they are. */
function absolute(location: string, base: string | undefined): string {
  const isAddress = /^[a-z][a-z0-9+.-]*:|^\\\\/i.test(location)
  return isAddress || isAbsolute(location) || base === undefined
    ? location
    : resolve(base, location)
}

interface SongNames {
  songName: string | undefined
  artistName: string | undefined
}

/**
 * The names of a song in a playlist: from its title, which is `Artist - Title` or the title alone;
 * without one, from its file name. A stream without a title has no names.
 */
function songNamesOf(title: string | undefined, location: string | undefined): SongNames {
  const field = title ?? (location === undefined ? undefined : nameOfFile(location))
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

function nameOfFile(location: string): string | undefined {
  const isStream = /^[a-z][a-z0-9+.-]+:\/\//i.test(location) && !/^file:/i.test(location)
  const address = location.replace(/[?#].*$/s, '')
  const path = /^[a-z][a-z0-9+.-]+:/i.test(location) ? (unescaped(address) ?? address) : location
  const file = path.split(/[\\/]/).at(-1) ?? ''
  const [, name, ending] = /^(.+?)(\.[a-z0-9]{1,5})?$/i.exec(file) ?? []
  if (isStream && ending === undefined) return undefined
  return text(name?.replace(NUMBER, ''))
}

import { dirname, resolve } from 'node:path'
import { quoted } from '../values/text.ts'
import { type CatalogEntry, catalogEntryOf, itemIdOf, locationKey } from './catalog-entry.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'
import { isAddress, resolveLocation } from './playlist-location.ts'
import { tracksOfAsx, tracksOfXml } from './playlist-markup.ts'
import { type ListedTrack, namesInFileName } from './playlist-names.ts'
import { isPls, lineOfNoFile, tracksOfM3u, tracksOfPls } from './playlist-text.ts'
import { decodePieces } from './text-encoding.ts'

/** Options of `fromPlaylist`. */
export interface PlaylistOptions extends SkippingOptions {
  /**
   * The folder, or the address, of relative locations. Default: the folder of the playlist, if the
   * input is a path.
   */
  base?: string | undefined
}

const PLAYLIST_TRAITS = {
  name: 'fromPlaylist',
  reads: 'a playlist (M3U, PLS, XSPF, ASX or WPL)',
  forms: ['text', 'markup'],
} as const

/**
 * Reads a playlist as entries for `catalog.update`: M3U and M3U8 (plain or extended), PLS, XSPF, ASX
 * or WPL, detected from the content. Each line of a text is read as UTF-8, or else as Windows-1252.
 *
 * `Artist - Title` in one field is split at the first dash between spaces; without a title, the
 * file name is the title. Relative paths become absolute, also those of Windows (`..\A\b.mp3`) and
 * relative URIs (`A%20B/c.mp3`, with `xml:base`); addresses, drives and shares stay as they are. The
 * item id is a hash of the location as the playlist writes it; a location that occurs twice is one
 * item.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when the input is not a playlist, or lists nothing
 * @example
 * ```ts
 * import { fromPlaylist } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
 * await catalog.update(fromPlaylist('evenings.m3u8'))
 * ```
 */
export function fromPlaylist(
  input: ImportInput,
  options: PlaylistOptions = {},
): Imported<CatalogEntry> {
  const base = options.base ?? (typeof input === 'string' ? dirname(resolve(input)) : undefined)
  const folder = base === undefined || isAddress(base) ? base : resolvedFolder(base)
  return importRecords(PLAYLIST_TRAITS, input, options, (givenInput, run) =>
    entriesOfPlaylist(givenInput, run, folder),
  )
}

/** A folder of Windows stays as it is on other systems. */
function resolvedFolder(base: string): string {
  return /^(?:[a-z]:[\\/]|\\\\)/i.test(base) ? base : resolve(base)
}

async function* entriesOfPlaylist(
  input: ImportInput,
  run: ImportRun,
  base: string | undefined,
): AsyncGenerator<CatalogEntry, void> {
  const itemIds = new Set<string>()
  for await (const track of tracksOfPlaylist(input, run)) {
    const { location, isUri = false } = track
    const url = location === undefined ? undefined : resolveLocation(base, location, { isUri })
    const names =
      track.songName === undefined && url !== undefined ? namesInFileName(url) : undefined
    const songName = track.songName ?? names?.songName
    const artistName = track.artistName ?? names?.artistName
    if (location === undefined && songName === undefined) {
      run.leaveOut(input, 'an entry has neither a location nor a title')
      continue
    }
    const itemId = itemIdOf(
      ...(location === undefined ? [songName, artistName] : [locationKey(location)]),
    )
    if (itemIds.has(itemId)) {
      run.leaveOut(input, 'an entry is in the playlist already')
      continue
    }
    itemIds.add(itemId)
    const { release, trackNumber } = track
    yield catalogEntryOf({ itemId, songName, artistName, release, trackNumber, url })
  }
}

async function* tracksOfPlaylist(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<ListedTrack, void> {
  const { kind } = run
  if (kind?.form === 'markup' && kind.what !== 'an ASX playlist') return yield* tracksOfXml(input)
  const text = await textOfPlaylist(input)
  if (kind?.form === 'markup') return yield* tracksOfAsx(text)
  const lines = text.split(/[\r\n]/).map((line) => line.trim())
  const writtenLines = lines.filter((line) => line !== '')
  if (isPls(writtenLines)) return yield* tracksOfPls(writtenLines)
  const otherLine = lineOfNoFile(writtenLines)
  if (otherLine !== undefined) {
    const what =
      run.likenessText() || `: the line ${quoted(otherLine)} names no file and no address`
    throw invalidInput(input, `is not a playlist${what}`)
  }
  yield* tracksOfM3u(writtenLines)
}

const MAX_PLAYLIST_CHARACTERS = 1 << 26

async function textOfPlaylist(input: ImportInput): Promise<string> {
  const parts: string[] = []
  let length = 0
  for await (const piece of decodePieces(inputBytes(input))) {
    parts.push(piece)
    length += piece.length
    if (length > MAX_PLAYLIST_CHARACTERS)
      throw invalidInput(input, 'is not a playlist: it is larger than 64 MiB')
  }
  return parts.join('')
}

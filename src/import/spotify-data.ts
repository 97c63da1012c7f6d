import { type CatalogEntry, catalogEntryOf, itemIdOf } from './catalog-entry.ts'
import { cleanTextValue } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { filesBelow, type ImportInput, isFolderPath, peekBytes } from './input.ts'
import { kindOfOpening, OPENING_BYTES } from './input-kind.ts'
import { jsonElementsOf } from './json-elements.ts'
import { comparableNames, PlayHistory } from './play-history.ts'
import { type Json, objectOf, objectsOf } from './rows.ts'
import { type PlayRules, playOfRow } from './spotify-play.ts'
import { type SavedTrack, trackOfLibrary, trackOfPlaylist } from './spotify-saved.ts'

/** Options of `fromSpotifyData`. */
export interface SpotifyDataOptions extends SkippingOptions, PlayRules {
  /** What is read. Default: all. `library`: liked songs and hidden ones. */
  parts?: readonly ('history' | 'library' | 'playlists')[] | undefined
}

/**
 * Reads what Spotify sends to those who ask for their data, as entries for `catalog.update`, one
 * for each song. Files are known by what is in them:
 *
 * - `StreamingHistory*.json`, `Streaming_History_Audio_*.json` and `endsong_*.json`: plays with
 *   their times, and skips
 * - `YourLibrary.json`: liked songs are `favorite`, hidden ones `banned`
 * - `Playlist*.json`: their songs
 *
 * A play counts when 30 seconds were heard, as Spotify counts, or the song to its end. A shorter
 * one counts in `skipCount` if it was skipped. A play that stands in two files of a folder counts
 * once. Podcasts, audiobooks, saved albums and artists, and plays without a name are left out and
 * counted.
 *
 * Entries come after the last file; songs and times are kept in memory. Their address is
 * `spotify:track:…`, where the data have it.
 *
 * @param input - the path of the unzipped folder or of a file in it, or bytes
 * @throws {ParameterError} when nothing is of these kinds, or a file is truncated
 * @example
 * ```ts
 * import { fromSpotifyData } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Spotify', type: 'song' })
 * await catalog.update(fromSpotifyData('Spotify Account Data/'))
 * ```
 */
export function fromSpotifyData(
  input: ImportInput,
  options: SpotifyDataOptions = {},
): Imported<CatalogEntry> {
  return importRecords(SPOTIFY_DATA, input, options, (givenInput, run) =>
    entriesOfSpotifyData(givenInput, options, run),
  )
}

const SPOTIFY_DATA = {
  name: 'fromSpotifyData',
  reads: 'account data of Spotify (histories, library, playlists)',
  forms: ['json'],
} as const

/** A playlist of a user. */
export interface ImportedPlaylist {
  /** Its name. */
  name: string
  /** What the user says of it. */
  description?: string | undefined
  /** Its songs, in order; a song that stands in it twice is there twice. */
  entries: CatalogEntry[]
}

/**
 * Reads the playlists in Spotify's account data (`Playlist*.json`), one by one.
 *
 * @param input - the path of the unzipped folder or of a file in it, or bytes
 * @throws {ParameterError} when there is no playlist, or a file is truncated
 * @example
 * ```ts
 * import { spotifyPlaylists } from 'audile/import'
 *
 * for await (const { name, entries } of spotifyPlaylists('Playlist1.json')) {
 *   for await (const { track } of music.tracks.match(entries)) console.log(name, track?.answer.title)
 * }
 * ```
 */
export function spotifyPlaylists(
  input: ImportInput,
  options: SkippingOptions = {},
): Imported<ImportedPlaylist> {
  return importRecords(SPOTIFY_DATA, input, options, playlistsOf)
}

async function* playlistsOf(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<ImportedPlaylist, void> {
  for await (const { document, file } of spotifyDocuments(input, run)) {
    for (const playlist of objectsOf(document.playlists)) {
      const entries = objectsOf(playlist.items ?? playlist.tracks).flatMap((item) => {
        const track = namedTrack(trackOfPlaylist(item), run, file)
        return track === undefined ? [] : [entryOfSavedTrack(track)]
      })
      run.countRead()
      const description = cleanTextValue(playlist.description)
      yield {
        name: cleanTextValue(playlist.name) ?? '',
        ...(description !== undefined && { description }),
        entries,
      }
    }
  }
}

function entryOfSavedTrack(track: SavedTrack): CatalogEntry {
  const itemId = itemIdOf(...comparableNames(track.songName, track.artistName))
  return catalogEntryOf({ itemId, ...track })
}

async function* entriesOfSpotifyData(
  input: ImportInput,
  { parts = ['history', 'library', 'playlists'], ...rules }: SpotifyDataOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  const history = new PlayHistory()
  for await (const { document, file } of spotifyDocuments(input, run)) {
    if (isPlay(document)) {
      if (parts.includes('history')) addPlay(history, document, rules, run, file)
    } else if ('playlists' in document) {
      if (parts.includes('playlists')) addPlaylists(history, document, run, file)
    } else if ('tracks' in document || 'albums' in document) {
      if (parts.includes('library')) addLibrary(history, document, run, file)
    } else run.skip(file, 'an object is no play, no library and no playlist')
  }
  yield* history.makeEntries((count) => {
    for (let i = 0; i < count; i++) run.leaveOut(input, 'a play stands twice')
  })
}

function isPlay(document: Json): boolean {
  return 'msPlayed' in document || 'ms_played' in document || 'endTime' in document
}

function addPlay(
  history: PlayHistory,
  row: Json,
  rules: PlayRules,
  run: ImportRun,
  file: ImportInput,
): void {
  run.countRead()
  const play = playOfRow(row, rules)
  if (typeof play === 'string') run.leaveOut(file, play)
  else history.addRemark(play.song, play)
}

/** What is in a library beside songs. */
const SAVED_OTHERS = {
  albums: 'a saved album',
  shows: 'a podcast',
  episodes: 'a podcast episode',
  artists: 'a followed artist',
  bannedArtists: 'a hidden artist',
} as const

function addLibrary(history: PlayHistory, library: Json, run: ImportRun, file: ImportInput): void {
  run.countRead()
  for (const [field, mark] of [
    ['tracks', { favorite: true }],
    ['bannedTracks', { banned: true }],
  ] as const) {
    for (const saved of objectsOf(library[field])) {
      const track = namedTrack(trackOfLibrary(saved), run, file)
      if (track !== undefined) history.addRemark(track, mark)
    }
  }
  for (const [field, what] of Object.entries(SAVED_OTHERS)) {
    const { length } = Array.isArray(library[field]) ? library[field] : []
    for (let i = 0; i < length; i++) run.leaveOut(file, `the library has ${what}, which is no song`)
  }
}

function addPlaylists(
  history: PlayHistory,
  { playlists }: Json,
  run: ImportRun,
  file: ImportInput,
): void {
  run.countRead()
  for (const { items, tracks } of objectsOf(playlists)) {
    for (const item of objectsOf(items ?? tracks)) {
      const track = namedTrack(trackOfPlaylist(item), run, file)
      if (track !== undefined) history.addRemark(track, {})
    }
  }
}

/** A string is the reason to leave it out. */
function namedTrack(
  track: SavedTrack | string,
  run: ImportRun,
  file: ImportInput,
): SavedTrack | undefined {
  if (typeof track !== 'string') return track
  run.leaveOut(file, track)
  return undefined
}

interface SpotifyDocument {
  document: Json
  file: ImportInput
}

/** Plays, a library, or playlists. */
async function* spotifyDocuments(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<SpotifyDocument, void> {
  if (!(await isFolderPath(input))) return yield* documentsOfFile(input, run)
  for await (const file of filesBelow(input as string, /\.json(?:\.gz)?$/i)) {
    const { opening } = await peekBytes(file, OPENING_BYTES)
    const kind = kindOfOpening(opening)
    if (kind?.importer === SPOTIFY_DATA.name) yield* documentsOfFile(file, run)
    else run.leaveOut(file, 'a file holds no history, no library and no playlist')
  }
}

async function* documentsOfFile(
  file: ImportInput,
  run: ImportRun,
): AsyncGenerator<SpotifyDocument, void> {
  for await (const element of jsonElementsOf(file, run)) {
    const document = objectOf(element)
    if (document) yield { document, file }
    else run.skip(file, 'an element is not an object')
  }
}

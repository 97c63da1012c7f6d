import { asItemId, type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { number, ordinal, text } from './cleaning.ts'
import { type ImportInput, invalidInput, peek } from './input.ts'
import { readXml, type XmlVisitor } from './xml.ts'

/** Options of `fromITunes`. */
export interface ITunesOptions {
  /**
   * `music` (default) leaves out podcasts, audiobooks, films, television, music videos and radio
   * streams; `all` includes everything.
   */
  media?: 'music' | 'all' | undefined
}

/**
 * Reads the library of iTunes or Apple Music (`Library.xml`, in Music: File › Library › Export
 * Library…) as entries for `catalog.update`: names, genre, numbers, counts, address, ratings of 1–100
 * as 1–10, loved (or favourite) tracks as `favorite` and disliked ones as `banned`. A rating that
 * iTunes computed from the album is left out. The item id is the Persistent ID,
 * which stays the same from export to export.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is not a library, or is truncated
 * @example
 * ```ts
 * import { fromITunes } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'My library', type: 'song' })
 * await catalog.update(fromITunes('/Users/me/Music/Library.xml'))
 * ```
 */
export async function* fromITunes(
  input: ImportInput,
  { media = 'music' }: ITunesOptions = {},
): AsyncGenerator<CatalogEntry, void> {
  const { start, input: library } = await peek(input, 8)
  if (start.startsWith('bplist')) {
    throw invalidInput(input, 'is a binary property list; export the library as XML')
  }
  let hasTracks = false
  const onTracks = () => {
    hasTracks = true
  }
  const tracks = readXml<Track>(library, 'an iTunes library', (emit) =>
    trackVisitor(onTracks, emit),
  )
  for await (const track of tracks) {
    if (media === 'all' || isMusic(track)) yield entryOfTrack(track)
  }
  if (!hasTracks) {
    throw invalidInput(input, 'is not an iTunes library: it is XML without a list of "Tracks"')
  }
}

/** The values of a track by their keys; numbers and booleans as text. */
type Track = ReadonlyMap<string, string>

/** The nesting depth of a track's values: the root, its "Tracks", and the track. */
const TRACK_DEPTH = 3

/**
 * Collects the tracks: the dictionaries in the dictionary "Tracks" of the root.
 *
 * @param onTracks - called when that dictionary begins
 */
function trackVisitor(onTracks: () => void, emit: (track: Track) => void): XmlVisitor {
  const keys: string[] = []
  let depth = 0
  let track: Map<string, string> | undefined
  const inTracks = () => keys[1] === 'Tracks'
  return {
    open(name) {
      if (name !== 'dict' && name !== 'array') return
      depth++
      if (depth === TRACK_DEPTH - 1 && inTracks()) onTracks()
      if (depth === TRACK_DEPTH && inTracks() && name === 'dict') track = new Map()
    },
    close(name, value) {
      if (name === 'dict' || name === 'array') {
        if (depth === TRACK_DEPTH && track !== undefined) emit(track)
        if (depth === TRACK_DEPTH) track = undefined
        keys.length = depth
        depth--
      } else if (name === 'key') {
        keys[depth] = value
      } else if (track !== undefined && depth === TRACK_DEPTH) {
        track.set(keys[depth] ?? '', name === 'true' || name === 'false' ? name : value)
      }
    },
  }
}

/** Whether a value is `<true/>`, or a number other than 0, which some programs write instead. */
function isTrue(track: Track, key: string): boolean {
  const value = track.get(key)
  return value === 'true' || (number(value) ?? 0) !== 0
}

const OTHER_MEDIA = [
  'Podcast',
  'Movie',
  'TV Show',
  'Music Video',
  'Has Video',
  'iTunesU',
  'Audiobooks',
]

function isMusic(track: Track): boolean {
  if (OTHER_MEDIA.some((key) => isTrue(track, key))) return false
  if (track.get('Track Type') === 'URL') return false
  return !/^(?:podcast|audiobooks?)$/i.test(track.get('Genre')?.trim() ?? '')
}

function entryOfTrack(track: Track): CatalogEntry {
  const name = text(track.get('Name'))
  const artist = text(track.get('Artist')) ?? text(track.get('Album Artist'))
  const album = text(track.get('Album'))
  const rating = isTrue(track, 'Rating Computed') ? undefined : ordinal(track.get('Rating'))
  const persistentId = text(track.get('Persistent ID'))
  return entryOf({
    itemId:
      persistentId === undefined
        ? itemIdOf(track.get('Location'), name, artist, album)
        : asItemId(persistentId),
    songName: name,
    artistName: artist,
    release: album,
    genre: track.get('Genre'),
    trackNumber: track.get('Track Number'),
    discNumber: track.get('Disc Number'),
    url: track.get('Location'),
    playCount: track.get('Play Count'),
    skipCount: track.get('Skip Count'),
    rating: rating === undefined ? undefined : Math.min(10, Math.max(1, Math.round(rating / 10))),
    favorite: isTrue(track, 'Loved') || isTrue(track, 'Favorited') ? true : undefined,
    banned: isTrue(track, 'Disliked') ? true : undefined,
  })
}

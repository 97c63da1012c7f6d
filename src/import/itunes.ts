import { asItemId, type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { count, number, numberOnDisc, ordinal, text } from './cleaning.ts'
import { type ImportInput, invalid, peek } from './input.ts'
import { readXml, type XmlVisitor } from './xml.ts'

/** How a library is read. */
export interface ITunesOptions {
  /**
   * `music` (default) leaves out podcasts, audiobooks, films, television, music videos and radio
   * streams; `all` takes everything.
   */
  media?: 'music' | 'all' | undefined
}

/**
 * Reads the library of iTunes or Apple Music (`Library.xml`, in Music: File › Library › Export
 * Library…) as entries for `catalog.update`: names, genre, numbers, counts, address, ratings of 0–100
 * as 0–10, loved (or favourite) and disliked tracks as `favorite` and `banned`. A rating that iTunes
 * computed of an album's is not the user's, and left out. The item id is the Persistent ID, which
 * stays the same from export to export.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is no library, or cut off
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
  const start = await peek(input, 8)
  if (Buffer.from(start.first).toString('latin1').startsWith('bplist')) {
    throw invalid(input, 'is a binary property list; export the library as XML')
  }
  let isPlist = false
  const tracks = readXml<Track>(start.input, 'an iTunes library', (emit) =>
    trackVisitor((track) => {
      isPlist = true
      if (track !== undefined) emit(track)
    }),
  )
  for await (const track of tracks) {
    if (media === 'all' || isMusic(track)) yield entryOfTrack(track)
  }
  if (!isPlist) throw invalid(input, 'is no iTunes library: it is XML without a list of "Tracks"')
}

/** What a property list says of a track: texts, numbers as text, and truths. */
type Track = ReadonlyMap<string, string>

/** Where tracks stand: the root, its key Tracks, the key of a track. */
const TRACK_DEPTH = 3

/**
 * Collects the tracks: the dictionaries in the dictionary "Tracks" of the root. Called once without
 * one when that list begins.
 */
function trackVisitor(emit: (track?: Track) => void): XmlVisitor {
  const keys: string[] = []
  let depth = 0
  let track: Map<string, string> | undefined
  const inTracks = () => keys[1] === 'Tracks'
  return {
    open(name) {
      if (name !== 'dict' && name !== 'array') return
      depth++
      if (depth === TRACK_DEPTH - 1 && inTracks()) emit()
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
        track.set(keys[depth] as string, name === 'true' || name === 'false' ? name : value)
      }
    },
  }
}

/** `<true/>`, or a number other than 0 as some writers have it. */
function is(track: Track, key: string): boolean {
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
  if (OTHER_MEDIA.some((key) => is(track, key))) return false
  if (track.get('Track Type') === 'URL') return false
  return !/^(?:podcast|audiobooks?)$/i.test(track.get('Genre')?.trim() ?? '')
}

function entryOfTrack(track: Track): CatalogEntry {
  const name = text(track.get('Name'))
  const artist = text(track.get('Artist')) ?? text(track.get('Album Artist'))
  const album = text(track.get('Album'))
  const rating = is(track, 'Rating Computed') ? undefined : ordinal(track.get('Rating'))
  const persistentId = text(track.get('Persistent ID'))
  return entryOf({
    itemId:
      persistentId === undefined
        ? itemIdOf(track.get('Location'), name, artist, album)
        : asItemId(persistentId),
    songName: name,
    artistName: artist,
    release: album,
    genre: text(track.get('Genre')),
    trackNumber: numberOnDisc(track.get('Track Number')),
    discNumber: numberOnDisc(track.get('Disc Number')),
    url: text(track.get('Location')),
    playCount: count(track.get('Play Count')),
    skipCount: count(track.get('Skip Count')),
    rating: rating === undefined ? undefined : Math.min(10, Math.max(1, Math.round(rating / 10))),
    favorite: is(track, 'Loved') || is(track, 'Favorited') ? true : undefined,
    banned: is(track, 'Disliked') ? true : undefined,
  })
}

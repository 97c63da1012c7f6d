import { asItemId, type CatalogEntry, entryOf, itemIdOf, locationKey } from './catalog-entry.ts'
import { number, ordinal, text } from './cleaning.ts'
import { type Imported, type ImportRun, importing, type SkippingOptions } from './import-run.ts'
import type { ImportInput } from './input.ts'
import { readXml, type XmlVisitor } from './xml.ts'

/** Options of `fromITunes`. */
export interface ITunesOptions extends SkippingOptions {
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
 * @throws {ParameterError} when the input is not a library, is truncated, or holds no music
 * @example
 * ```ts
 * import { fromITunes } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'My library', type: 'song' })
 * await catalog.update(fromITunes('/Users/me/Music/Library.xml'))
 * ```
 */
export function fromITunes(
  input: ImportInput,
  options: ITunesOptions = {},
): Imported<CatalogEntry> {
  return importing(ITUNES, input, options, (given, run) => entriesOf(given, options, run))
}

const ITUNES = { name: 'fromITunes', reads: 'an iTunes library', forms: ['markup'] } as const

async function* entriesOf(
  input: ImportInput,
  { media = 'music' }: ITunesOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  for await (const track of readXml<Track>(input, ITUNES.reads, trackVisitor)) {
    const other = media === 'all' ? undefined : otherMediumOf(track)
    if (other === undefined) yield entryOfTrack(track)
    else run.leaveOut(input, `a track is not music (${other})`)
  }
}

/** The values of a track by their keys; numbers and booleans as text. */
type Track = ReadonlyMap<string, string>

/** The nesting depth of a track's values: the root, its "Tracks", and the track. */
const TRACK_DEPTH = 3

/** Collects the tracks: the dictionaries in the dictionary "Tracks" of the root. */
function trackVisitor(emit: (track: Track) => void): XmlVisitor {
  const keys: string[] = []
  let depth = 0
  let track: Map<string, string> | undefined
  const inTracks = () => keys[1] === 'Tracks'
  return {
    open(name) {
      if (name !== 'dict' && name !== 'array') return
      depth++
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

/** The medium of a track that is not music, in the words of iTunes. */
function otherMediumOf(track: Track): string | undefined {
  const medium = OTHER_MEDIA.find((key) => isTrue(track, key))
  if (medium !== undefined) return medium
  if (track.get('Track Type') === 'URL') return 'URL'
  const genre = track.get('Genre')?.trim() ?? ''
  return /^(?:podcast|audiobooks?)$/i.test(genre) ? genre : undefined
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
        ? itemIdOf(locationKey(track.get('Location') ?? ''), name, artist, album)
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

import {
  type CatalogEntry,
  catalogEntryOf,
  itemIdFrom,
  itemIdOf,
  locationKey,
} from './catalog-entry.ts'
import { cleanNumber, cleanOrdinal, cleanTextValue } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
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
 * Library…) as entries for `catalog.update`. Ratings of 1–100 become 1–10, loved (or favourite)
 * tracks `favorite` and disliked ones `banned`. A rating that iTunes computed from the album is
 * left out. The item id is the Persistent ID, which stays the same from export to export.
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
  return importRecords(ITUNES_TRAITS, input, options, (library, run) =>
    entriesOfITunes(library, options, run),
  )
}

const ITUNES_TRAITS = { name: 'fromITunes', reads: 'an iTunes library', forms: ['markup'] } as const

async function* entriesOfITunes(
  input: ImportInput,
  { media = 'music' }: ITunesOptions,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  for await (const track of readXml<ITunesTrack>(input, ITUNES_TRAITS.reads, iTunesVisitor)) {
    const otherMedium = media === 'all' ? undefined : mediumOfTrack(track)
    if (otherMedium === undefined) yield entryOfITunesTrack(track)
    else run.leaveOut(input, `a track is not music (${otherMedium})`)
  }
}

/** Numbers and booleans are texts. */
type ITunesTrack = ReadonlyMap<string, string>

/** The root, its "Tracks", and the track. */
const TRACK_DEPTH = 3

function iTunesVisitor(emit: (track: ITunesTrack) => void): XmlVisitor {
  const keys: string[] = []
  let depth = 0
  let track: Map<string, string> | undefined
  const isInTracks = () => keys[1] === 'Tracks'
  return {
    open(name) {
      if (name !== 'dict' && name !== 'array') return
      depth++
      if (depth === TRACK_DEPTH && isInTracks() && name === 'dict') track = new Map()
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

/** Some programs write a number other than 0 for `<true/>`. */
function isTrueValue(track: ITunesTrack, key: string): boolean {
  const value = track.get(key)
  return value === 'true' || (cleanNumber(value) ?? 0) !== 0
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

/** In the words of iTunes. */
function mediumOfTrack(track: ITunesTrack): string | undefined {
  const medium = OTHER_MEDIA.find((key) => isTrueValue(track, key))
  if (medium !== undefined) return medium
  if (track.get('Track Type') === 'URL') return 'URL'
  const genre = track.get('Genre')?.trim() ?? ''
  return /^(?:podcast|audiobooks?)$/i.test(genre) ? genre : undefined
}

function entryOfITunesTrack(track: ITunesTrack): CatalogEntry {
  const name = cleanTextValue(track.get('Name'))
  const artist = cleanTextValue(track.get('Artist')) ?? cleanTextValue(track.get('Album Artist'))
  const album = cleanTextValue(track.get('Album'))
  const rating = isTrueValue(track, 'Rating Computed')
    ? undefined
    : cleanOrdinal(track.get('Rating'))
  const persistentId = cleanTextValue(track.get('Persistent ID'))
  return catalogEntryOf({
    itemId:
      persistentId === undefined
        ? itemIdOf(locationKey(track.get('Location') ?? ''), name, artist, album)
        : itemIdFrom(persistentId),
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
    favorite: isTrueValue(track, 'Loved') || isTrueValue(track, 'Favorited') ? true : undefined,
    banned: isTrueValue(track, 'Disliked') ? true : undefined,
  })
}

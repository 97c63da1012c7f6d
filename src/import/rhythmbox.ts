import { type CatalogEntry, catalogEntryOf, itemIdOf, locationKey } from './catalog-entry.ts'
import { cleanAddress, cleanNumber, cleanTextValue } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import type { ImportInput } from './input.ts'
import { type Children, readElements } from './xml.ts'

/**
 * Reads the songs in the library of Rhythmbox (`~/.local/share/rhythmbox/rhythmdb.xml`) as entries
 * for `catalog.update`. Ratings of 1–5 become 2–10; 0 means not rated. The item id is a hash of the
 * file's address, by which Rhythmbox itself identifies songs.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is not such a library, is truncated, or holds no songs
 * @example
 * ```ts
 * import { homedir } from 'node:os'
 * import { fromRhythmbox } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Rhythmbox', type: 'song' })
 * await catalog.update(fromRhythmbox(`${homedir()}/.local/share/rhythmbox/rhythmdb.xml`))
 * ```
 */
export function fromRhythmbox(
  input: ImportInput,
  options: SkippingOptions = {},
): Imported<CatalogEntry> {
  return importRecords(RHYTHMBOX_TRAITS, input, options, entriesOfRhythmbox)
}

const RHYTHMBOX_TRAITS = {
  name: 'fromRhythmbox',
  reads: 'a Rhythmbox library',
  forms: ['markup'],
} as const

async function* entriesOfRhythmbox(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<CatalogEntry, void> {
  const songs = readElements(input, {
    what: RHYTHMBOX_TRAITS.reads,
    element: 'entry',
    accepts({ type }) {
      if (type !== 'song') run.leaveOut(input, `an entry is not a song (${type})`)
      return type === 'song'
    },
  })
  for await (const song of songs) yield entryOfSong(song)
}

function entryOfSong(song: Children): CatalogEntry {
  const [title, artist, album, genre] = ['title', 'artist', 'album', 'genre'].map((name) =>
    tagOf(song.get(name)),
  )
  const location = cleanAddress(song.get('location'))
  const rating = Math.round(2 * (cleanNumber(song.get('rating')) ?? 0))
  return catalogEntryOf({
    itemId: itemIdOf(
      ...(location === undefined ? [title, artist, album] : [locationKey(location)]),
    ),
    songName: title,
    artistName: artist,
    release: album,
    genre,
    trackNumber: song.get('track-number'),
    discNumber: song.get('disc-number'),
    url: location,
    playCount: song.get('play-count'),
    rating: rating > 0 && rating <= 10 ? rating : undefined,
  })
}

/** Rhythmbox writes `Unknown` where a file has no tag. */
function tagOf(value: string | undefined): string | undefined {
  const tag = cleanTextValue(value)
  return tag === 'Unknown' ? undefined : tag
}

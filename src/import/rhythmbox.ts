import { type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'
import { count, number, numberOnDisc, text } from './cleaning.ts'
import { type ImportInput, invalid } from './input.ts'
import { readXml } from './xml.ts'

/**
 * Reads the library of Rhythmbox (`~/.local/share/rhythmbox/rhythmdb.xml`) as entries for
 * `catalog.update`: its songs (no radio, no podcasts), with names, genre, numbers, play count, the
 * file's address, and ratings of 0–5 as 0–10, of which 0 is none. The item id is made of the address,
 * by which Rhythmbox itself tells songs apart.
 *
 * @param input - the path of a file, or bytes; also gzipped
 * @throws {ParameterError} when the input is no such library, or cut off
 * @example
 * ```ts
 * import { homedir } from 'node:os'
 * import { fromRhythmbox } from 'audile/import'
 *
 * const catalog = await music.catalogs.create({ name: 'Rhythmbox', type: 'song' })
 * await catalog.update(fromRhythmbox(`${homedir()}/.local/share/rhythmbox/rhythmdb.xml`))
 * ```
 */
export async function* fromRhythmbox(input: ImportInput): AsyncGenerator<CatalogEntry, void> {
  let isRhythmbox = false
  yield* readXml<CatalogEntry>(input, 'a Rhythmbox library', (emit) => {
    let song: Map<string, string> | undefined
    return {
      open(name, attributes) {
        if (name === 'rhythmdb') isRhythmbox = true
        if (name === 'entry') song = attributes.type === 'song' ? new Map() : undefined
      },
      close(name, value) {
        if (name === 'entry' && song !== undefined) emit(entryOfSong(song))
        if (name === 'entry') song = undefined
        else song?.set(name, value)
      },
    }
  })
  if (!isRhythmbox) throw invalid(input, 'is no Rhythmbox library: it is XML without <rhythmdb>')
}

function entryOfSong(song: ReadonlyMap<string, string>): CatalogEntry {
  const [title, artist, album, genre] = ['title', 'artist', 'album', 'genre'].map((name) =>
    named(song.get(name)),
  )
  const location = text(song.get('location'))
  const rating = Math.round(2 * (number(song.get('rating')) ?? 0))
  return entryOf({
    itemId: itemIdOf(...(location === undefined ? [title, artist, album] : [location])),
    songName: title,
    artistName: artist,
    release: album,
    genre,
    trackNumber: numberOnDisc(song.get('track-number')),
    discNumber: numberOnDisc(song.get('disc-number')),
    url: location,
    playCount: count(song.get('play-count')),
    rating: rating > 0 && rating <= 10 ? rating : undefined,
  })
}

/** Rhythmbox writes `Unknown` where a file has no tag. */
function named(value: string | undefined): string | undefined {
  const found = text(value)
  return found === 'Unknown' ? undefined : found
}

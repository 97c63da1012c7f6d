import { stat } from 'node:fs/promises'
import type { ArtistRecord } from '../client/artists.ts'
import type { SongRecord } from '../client/songs.ts'
import { pause } from '../kernel/scheduler.ts'
import * as clean from './cleaning.ts'
import { type ImportInput, invalid, peek, unreadable } from './input.ts'
import { H5Fault, H5Reader, h5FilesOf } from './million-song-h5.ts'
import { foreignIds, songRecordOf } from './million-song-record.ts'
import { MillionSongStore } from './million-song-store.ts'
import { ArtistTerms, type ArtistTermsOptions } from './million-song-terms.ts'
import { fieldsOf } from './million-song-text.ts'
import { type SkippingOptions, Skips } from './skipped.ts'

/** How the Million Song Dataset is read. */
export interface MillionSongOptions extends SkippingOptions, ArtistTermsOptions {}

/**
 * Reads songs of the Million Song Dataset. What the input is, is told by its content:
 *
 * - `track_metadata.db`: names, release, year, duration, the artist's familiarity and hotttnesss
 * - `unique_tracks.txt` (also as bytes or gzipped): ids and names only
 * - an `.h5` file, the summary or an aggregate file, or a folder with `.h5` files somewhere below:
 *   also the audio summary, song hotttnesss, the artist's place, and all terms with weight and
 *   frequency; needs the optional package h5wasm (`npm install h5wasm`)
 *
 * What the dataset writes for "not known" (NaN, -1, 0, empty text) is left out, so are energy and
 * danceability, 0 in all its files; values of hotttnesss a little over 1 are taken for 1.
 *
 * @param input - a path; of `unique_tracks.txt` also its bytes
 * @throws {ParameterError} when the input is none of these, names what it is, and says what helps
 * @example
 * ```ts
 * import { fromMillionSong } from 'audile/import'
 *
 * await music.songs.import(fromMillionSong('track_metadata.db', { terms: 'artist_term.db' }))
 * await music.songs.import(fromMillionSong('MillionSongSubset/'))
 * ```
 */
export async function* fromMillionSong(
  input: ImportInput,
  options: MillionSongOptions = {},
): AsyncGenerator<SongRecord, void> {
  const terms = await ArtistTerms.open(options)
  try {
    for await (const record of songsOf(input, options)) {
      const more = terms?.of(record.artistId)
      yield record.terms === undefined && more !== undefined ? { ...record, terms: more } : record
    }
  } finally {
    terms?.close()
  }
}

/**
 * Reads the artists of the Million Song Dataset, each once: from `track_metadata.db` (with
 * familiarity and hotttnesss) or `unique_artists.txt`, which are told by their content. An artist
 * that songs credit by several names has the one that most of them have.
 *
 * `artist_term.db` holds no names; it is read beside one of them, by the option `terms`.
 *
 * @param input - a path; of `unique_artists.txt` also its bytes
 * @throws {ParameterError} when the input is none of these
 * @example
 * ```ts
 * import { artistsFromMillionSong } from 'audile/import'
 *
 * await music.artists.import(
 *   artistsFromMillionSong('track_metadata.db', { terms: 'artist_term.db' }),
 * )
 * ```
 */
export async function* artistsFromMillionSong(
  input: ImportInput,
  options: MillionSongOptions = {},
): AsyncGenerator<ArtistRecord, void> {
  const terms = await ArtistTerms.open(options)
  try {
    for await (const record of artistsOf(input, options)) {
      const more = terms?.of(record.id)
      yield more === undefined ? record : { ...record, terms: more }
    }
  } finally {
    terms?.close()
  }
}

async function* songsOf(
  given: ImportInput,
  options: MillionSongOptions,
): AsyncGenerator<SongRecord, void> {
  const { kind, input } = await recognised(given)
  const skips = new Skips(options)
  if (kind === 'folder') return yield* songsOfFolder(input as string, skips)
  if (kind === 'h5') {
    const path = pathOf(input)
    const reader = await H5Reader.open(path)
    return yield* paced(songsOfFile(reader, path))
  }
  if (kind === 'sqlite') {
    const store = await MillionSongStore.open(pathOf(input), options)
    try {
      if (!store.hasSongs) throw noSongs(input, store)
      for await (const row of paced(store.songs())) yield songRecordOf(row)
    } finally {
      store.close()
    }
    return
  }
  for await (const [track, song, artist, title] of fieldsOf(input, skips, ['TR', 'SO'])) {
    yield songRecordOf({ track_id: track, song_id: song, artist_name: artist, title })
  }
}

function noSongs(input: ImportInput, store: MillionSongStore) {
  return invalid(
    input,
    store.hasTerms
      ? 'is artist_term.db, which has no songs; give track_metadata.db, and this as the option terms'
      : `has no table "songs": it is not track_metadata.db (its tables: ${store.tables.join(', ')})`,
  )
}

async function* artistsOf(
  given: ImportInput,
  options: MillionSongOptions,
): AsyncGenerator<ArtistRecord, void> {
  const { kind, input } = await recognised(given)
  if (kind === 'folder' || kind === 'h5') {
    throw invalid(
      input,
      'holds songs, with what is known of their artists; read it by fromMillionSong()',
    )
  }
  if (kind === 'sqlite') {
    const store = await MillionSongStore.open(pathOf(input), options)
    try {
      if (!store.hasSongs) throw noSongs(input, store)
      for await (const row of paced(store.artists())) {
        yield artistRecord(row.artist_id, row.artist_name, row.artist_mbid, {
          hotttnesss: clean.hotttnesss(row.artist_hotttnesss),
          familiarity: clean.hotttnesss(row.artist_familiarity),
        })
      }
    } finally {
      store.close()
    }
    return
  }
  for await (const [id, mbid, , name] of fieldsOf(input, new Skips(options), ['AR'])) {
    yield artistRecord(id, name, mbid)
  }
}

function artistRecord(
  id: unknown,
  name: unknown,
  mbid: unknown,
  facts: Pick<ArtistRecord, 'hotttnesss' | 'familiarity'> = {},
): ArtistRecord {
  return clean.recordOf<ArtistRecord>({
    id: clean.text(id),
    name: clean.text(name) ?? '',
    ...facts,
    foreignIds: clean.some(foreignIds({ musicbrainz: mbid })),
  })
}

/** What an input is, by its first bytes, and the input to be read on. */
async function recognised(
  given: ImportInput,
): Promise<{ kind: 'folder' | 'h5' | 'sqlite' | 'text'; input: ImportInput }> {
  if (typeof given === 'string') {
    const found = await stat(given).catch((error: unknown) => {
      throw unreadable(given, error)
    })
    if (found.isDirectory()) return { kind: 'folder', input: given }
  }
  const { first, input } = await peek(given, 16)
  const magic = Buffer.from(first).toString('latin1')
  if (magic.startsWith('SQLite format 3\0')) return { kind: 'sqlite', input }
  return { kind: magic.startsWith('\x89HDF\r\n\x1a\n') ? 'h5' : 'text', input }
}

function pathOf(input: ImportInput): string {
  if (typeof input === 'string') return input
  throw invalid(input, 'is a database; give its path, and unpack it first if it is gzipped')
}

async function* songsOfFolder(folder: string, skips: Skips): AsyncGenerator<SongRecord, void> {
  let reader: H5Reader | undefined
  for await (const path of h5FilesOf(folder)) {
    reader ??= await H5Reader.open(path)
    try {
      for (const record of reader.songs(path)) {
        skips.took()
        yield record
      }
    } catch (error) {
      if (!(error instanceof H5Fault)) throw error
      skips.skip(path, error.message)
    }
    await pause()
  }
  if (!reader) throw invalid(folder, 'has no .h5 files in it or below')
}

function* songsOfFile(reader: H5Reader, path: string): Generator<SongRecord, void> {
  try {
    yield* reader.songs(path)
  } catch (error) {
    throw error instanceof H5Fault ? invalid(path, error.message, error) : error
  }
}

/** Lets the event loop go on between rows: SQLite and HDF5 are read synchronously. */
async function* paced<T>(rows: Iterable<T>): AsyncGenerator<T, void> {
  for (const row of rows) {
    yield row
    await pause()
  }
}

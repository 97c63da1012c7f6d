import type { ArtistRecord } from '../client/artists.ts'
import type { SongRecord } from '../client/songs.ts'
import { pause } from '../kernel/scheduler.ts'
import {
  cleanForeignIds,
  cleanHotttnesss,
  cleanTextValue,
  nonEmptyList,
  recordOfKnown,
} from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { filesBelow, type ImportInput, invalidInput, isFolderPath, peekText } from './input.ts'
import { H5Fault, H5Reader } from './million-song-h5.ts'
import { songOfMillionSong } from './million-song-record.ts'
import { type ArtistTermsOptions, MillionSongStore, withTerms } from './million-song-store.ts'
import { linesOf, readRows } from './rows.ts'

/** Options of `fromMillionSong` and `artistsFromMillionSong`. */
export interface MillionSongOptions extends SkippingOptions, ArtistTermsOptions {}

/**
 * Reads songs of the Million Song Dataset. The kind of input is detected from its content:
 *
 * - `track_metadata.db`: names, release, year, duration, the artist's familiarity and hotttnesss
 * - `unique_tracks.txt` (also as bytes or gzipped): ids and names only
 * - an `.h5` file, the summary or an aggregate file, or a folder tree with `.h5` files:
 *   also the audio summary, song hotttnesss, the artist's place, and all terms with weight and
 *   frequency; needs the optional package h5wasm (`npm install h5wasm`)
 *
 * Values that mean "not known" in the dataset (NaN, -1, 0, empty text) are left out, and so are energy
 * and danceability, which are 0 in all its files. Values of hotttnesss a little above 1 become 1.
 *
 * @param input - a path, or the bytes of `unique_tracks.txt`
 * @throws {ParameterError} when the input is none of these
 * @example
 * ```ts
 * import { fromMillionSong } from 'audile/import'
 *
 * await music.songs.import(fromMillionSong('track_metadata.db', { terms: 'artist_term.db' }))
 * await music.songs.import(fromMillionSong('MillionSongSubset/'))
 * ```
 */
export function fromMillionSong(
  input: ImportInput,
  options: MillionSongOptions = {},
): Imported<SongRecord> {
  const traits = { ...DATASET_TRAITS, name: 'fromMillionSong' }
  return importRecords(traits, input, options, (givenInput, run) =>
    withTerms(songsOfDataset(givenInput, options, run), ({ artistId }) => artistId, options),
  )
}

const DATASET_TRAITS = {
  reads: 'a file of the Million Song Dataset',
  forms: ['text', 'binary'],
} as const

/**
 * Reads the artists of the Million Song Dataset, each once: from `track_metadata.db` (with
 * familiarity and hotttnesss) or `unique_artists.txt`, detected from the content. An artist with
 * several names in the songs gets the most frequent one.
 *
 * `artist_term.db` holds no names; give it as the option `terms`, beside one of these files.
 *
 * @param input - a path, or the bytes of `unique_artists.txt`
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
export function artistsFromMillionSong(
  input: ImportInput,
  options: MillionSongOptions = {},
): Imported<ArtistRecord> {
  // Both functions read this kind.
  const traits = { ...DATASET_TRAITS, name: 'fromMillionSong' }
  return importRecords(traits, input, options, (givenInput, run) =>
    withTerms(artistsOfDataset(givenInput, options, run), ({ id }) => id, options),
  )
}

async function* songsOfDataset(
  givenInput: ImportInput,
  options: MillionSongOptions,
  run: ImportRun,
): AsyncGenerator<SongRecord, void> {
  const { kind, input } = await recogniseDataset(givenInput)
  if (kind === 'folder') {
    yield* songsOfFolder(requireInputPath(input), run)
  } else if (kind === 'h5') {
    const path = requireInputPath(input)
    const reader = await H5Reader.open(path)
    yield* pacedRows(songsOfFile(reader, path))
  } else if (kind === 'sqlite') {
    for await (const row of storeRowsOf(input, options, (store) => store.songs()))
      yield songOfMillionSong(row)
  } else {
    for await (const [track, song, artist, title] of fieldsOfLines(input, run, ['TR', 'SO'])) {
      yield songOfMillionSong({ track_id: track, song_id: song, artist_name: artist, title })
    }
  }
}

async function* artistsOfDataset(
  givenInput: ImportInput,
  options: MillionSongOptions,
  run: ImportRun,
): AsyncGenerator<ArtistRecord, void> {
  const { kind, input } = await recogniseDataset(givenInput)
  if (kind === 'folder' || kind === 'h5') {
    throw invalidInput(
      input,
      'holds songs, with what is known of their artists; read it with fromMillionSong()',
    )
  }
  if (kind === 'sqlite') {
    for await (const row of storeRowsOf(input, options, (store) => store.artists())) {
      yield artistRecord(row.artist_id, row.artist_name, row.artist_mbid, {
        hotttnesss: cleanHotttnesss(row.artist_hotttnesss),
        familiarity: cleanHotttnesss(row.artist_familiarity),
      })
    }
    return
  }
  for await (const [id, mbid, , name] of fieldsOfLines(input, run, ['AR'])) {
    yield artistRecord(id, name, mbid)
  }
}

async function* storeRowsOf<Row>(
  input: ImportInput,
  options: MillionSongOptions,
  select: (store: MillionSongStore) => Iterable<Row>,
): AsyncGenerator<Row, void> {
  const store = await MillionSongStore.open(requireInputPath(input), options)
  try {
    const { tables } = store
    if (!tables.has('songs')) {
      if (tables.has('track_locations'))
        throw invalidInput(input, 'is a library of Mixxx; read it with fromMixxx()')
      throw invalidInput(
        input,
        tables.has('artist_term')
          ? 'is artist_term.db, which has no songs; give track_metadata.db, and this file as the option terms'
          : `has no table "songs": it is not track_metadata.db (its tables: ${[...tables].join(', ')})`,
      )
    }
    yield* pacedRows(select(store))
  } finally {
    store.close()
  }
}

const FIELD_SEPARATOR = '<SEP>'

/** The first fields must begin with the given id prefixes. */
function fieldsOfLines(
  input: ImportInput,
  run: ImportRun,
  prefixes: readonly string[],
): AsyncGenerator<string[], void> {
  return readRows(input, linesOf(input), run, ({ text }) => {
    // A title may contain the separator; no id does.
    const [first = '', second = '', third = '', ...titleParts] = text.split(FIELD_SEPARATOR)
    const fields = [first, second, third, titleParts.join(FIELD_SEPARATOR)]
    return titleParts.length > 0 && prefixes.every((prefix, i) => fields[i]?.startsWith(prefix))
      ? fields
      : OTHER_TEXT_FAULT
  })
}

const OTHER_TEXT_FAULT =
  "is not from one of the dataset's texts; fromMillionSong() reads TR…<SEP>SO…<SEP>artist<SEP>title " +
  '(unique_tracks.txt), artistsFromMillionSong() AR…<SEP>mbid<SEP>TR…<SEP>artist (unique_artists.txt)'

function artistRecord(
  id: unknown,
  name: unknown,
  mbid: unknown,
  facts: Pick<ArtistRecord, 'hotttnesss' | 'familiarity'> = {},
): ArtistRecord {
  return recordOfKnown<ArtistRecord>({
    id: cleanTextValue(id),
    name: cleanTextValue(name) ?? '',
    ...facts,
    foreignIds: nonEmptyList(cleanForeignIds({ musicbrainz: mbid })),
  })
}

/** Read the returned input: a stream can be read only once. */
async function recogniseDataset(
  givenInput: ImportInput,
): Promise<{ kind: 'folder' | 'h5' | 'sqlite' | 'text'; input: ImportInput }> {
  if (await isFolderPath(givenInput)) return { kind: 'folder', input: givenInput }
  const { start, input } = await peekText(givenInput, 16)
  if (start.startsWith('SQLite format 3\0')) return { kind: 'sqlite', input }
  return { kind: start.startsWith('\x89HDF\r\n\x1a\n') ? 'h5' : 'text', input }
}

function requireInputPath(input: ImportInput): string {
  if (typeof input === 'string') return input
  throw invalidInput(input, 'is a database; give its path, and unpack it first if it is gzipped')
}

async function* songsOfFolder(folder: string, run: ImportRun): AsyncGenerator<SongRecord, void> {
  let reader: H5Reader | undefined
  for await (const path of filesBelow(folder, /\.h5$/)) {
    reader ??= await H5Reader.open(path)
    try {
      for (const record of reader.songs(path)) {
        run.countRead()
        yield record
      }
    } catch (error) {
      if (!(error instanceof H5Fault)) throw error
      run.skip(path, error.message)
    }
    await pause()
  }
  if (!reader) throw invalidInput(folder, 'has no .h5 files in or below it')
}

function* songsOfFile(reader: H5Reader, path: string): Generator<SongRecord, void> {
  try {
    yield* reader.songs(path)
  } catch (error) {
    throw error instanceof H5Fault ? invalidInput(path, error.message, error) : error
  }
}

/** SQLite and HDF5 are read synchronously. */
async function* pacedRows<T>(rows: Iterable<T>): AsyncGenerator<T, void> {
  for (const row of rows) {
    yield row
    await pause()
  }
}

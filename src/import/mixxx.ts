import { join, resolve } from 'node:path'
import { cleanNumber, cleanTextValue } from './cleaning.ts'
import { CollectedPlaylists } from './collected-playlists.ts'
import {
  type CollectedTrack,
  type CollectionEntry,
  type CollectionImportOptions,
  CollectionReader,
  colourOf,
} from './collected-track.ts'
import { type Imported, ImportRun, withReport } from './import-run.ts'
import { invalidInput, isFolderPath } from './input.ts'
import type { SqliteOptions } from './million-song-store.ts'
import { gridOfBeats } from './mixxx-beats.ts'
import { bytesOfColumn, type MixxxCueRow, type MixxxRow, MixxxStore } from './mixxx-store.ts'

/** Options of `fromMixxx`. */
export type MixxxImportOptions = CollectionImportOptions & SqliteOptions

/**
 * Reads the library of Mixxx 2, which is opened for reading only. It is `~/.mixxx/mixxxdb.sqlite`;
 * on Windows in `%LOCALAPPDATA%\Mixxx`, on macOS in
 * `~/Library/Containers/org.mixxx.mixxx/Data/Library/Application Support/Mixxx`. Beat grids become
 * corrections, hot cues and loops own cues. A catalog gets names, plays, ratings, comments,
 * colours, playlists and crates. Tracks that are hidden in Mixxx are left out.
 *
 * @param input - the path of the file, or of its folder
 * @throws {ParameterError} when the file is no library of Mixxx, is damaged, or has no tracks
 * @example
 * ```ts
 * import { homedir } from 'node:os'
 * import { fromMixxx } from 'audile/import'
 *
 * await music.tracks.import(fromMixxx(`${homedir()}/.mixxx`)) // grids and cues of tracks that were scanned
 * const catalog = await music.catalogs.create({ name: 'Mixxx', type: 'song' })
 * await catalog.update(fromMixxx(`${homedir()}/.mixxx`))
 * ```
 */
export function fromMixxx(
  input: string,
  options: MixxxImportOptions = {},
): Imported<CollectionEntry> {
  const run = new ImportRun(MIXXX_TRAITS, options)
  return withReport(run, input, () => entriesOfMixxx(input, options, run))
}

const MIXXX_TRAITS = { name: 'fromMixxx', reads: 'a library of Mixxx', forms: ['binary'] } as const

async function* entriesOfMixxx(
  input: string,
  options: MixxxImportOptions,
  run: ImportRun,
): AsyncGenerator<CollectionEntry, void> {
  if (typeof input !== 'string') throw invalidInput(input, 'is no path of a file')
  const path = (await isFolderPath(input)) ? join(input, 'mixxxdb.sqlite') : resolve(input)
  const store = await MixxxStore.open(path, options)
  try {
    const playlists = new CollectedPlaylists(input, options.playlist)
    let previousList: string | undefined
    for (const { list, name, track } of store.listedTracks()) {
      if (list !== previousList) playlists.beginPlaylist([], String(name))
      previousList = list
      if (track !== null) playlists.addTrack(String(track))
    }
    const reader = new CollectionReader(input, run, options)
    async function* keyedTracks() {
      for (const row of store.tracks()) {
        const makeEntry = (names: string[]) => {
          if (row.mixxx_deleted === 1) return reader.leaveOut('a track is hidden in Mixxx')
          return reader.collectionEntryOf(
            collectedMixxxTrack(row, store.cuesOf(row.id), reader),
            names,
          )
        }
        yield { key: String(row.id), make: makeEntry }
      }
    }
    yield* playlists.entriesInOrder(keyedTracks(), reader)
  } finally {
    store.close()
  }
}

function collectedMixxxTrack(
  row: MixxxRow,
  cues: readonly MixxxCueRow[],
  reader: CollectionReader,
): CollectedTrack {
  const sampleRate = cleanNumber(row.samplerate) ?? 0
  return {
    path: cleanTextValue(row.path) === undefined ? undefined : String(row.path),
    title: row.title,
    artist: row.artist,
    release: row.album,
    genre: row.genre,
    trackNumber: row.tracknumber,
    playCount: row.timesplayed,
    stars: cleanNumber(row.rating),
    key: cleanTextValue(row.key),
    grid: mixxxGridOf(row, sampleRate, reader),
    cues: sampleRate > 0 ? mixxxCuesOf(cues, sampleRate, reader) : [],
    notes: {
      comment: cleanTextValue(row.comment),
      colour: colourOfNumber(row.color),
      composer: cleanTextValue(row.composer),
      grouping: cleanTextValue(row.grouping),
      added: cleanTextValue(row.datetime_added),
      lastPlayed: cleanTextValue(row.last_played_at),
    },
  }
}

function mixxxGridOf(row: MixxxRow, sampleRate: number, reader: CollectionReader) {
  if (row.beats === null || row.beats === undefined) return []
  const bytes = bytesOfColumn(row.beats)
  if (bytes?.length === 0) return []
  const grid =
    bytes && sampleRate > 0
      ? gridOfBeats(bytes, String(row.beats_version), sampleRate)
      : 'beats have no sample rate, or are too long'
  if (typeof grid !== 'string') return grid
  reader.leaveOut(grid)
  return []
}

/** Types of cues in Mixxx. */
const HOT_CUE = 1
const LOOP_CUE = 4
/** Mixxx sets these itself, and audile has its own. */
const OTHER_TYPES: Readonly<Record<number, string>> = {
  2: 'a main cue',
  6: 'an intro',
  7: 'an outro',
  8: 'where the sound begins and ends',
}

/** Positions count samples of two channels. */
function mixxxCuesOf(
  rows: readonly MixxxCueRow[],
  sampleRate: number,
  reader: CollectionReader,
): CollectedTrack['cues'] {
  return rows.flatMap(({ type, position, length, hotcue, label, color }) => {
    if (type !== HOT_CUE && type !== LOOP_CUE) {
      if (position >= 0) reader.leaveOut(`a cue is ${OTHER_TYPES[type] ?? `of the type ${type}`}`)
      return []
    }
    const time = position / 2 / sampleRate
    const end = type === LOOP_CUE ? time + length / 2 / sampleRate : undefined
    return [{ pad: hotcue, time, end, name: cleanTextValue(label), colour: colourOfNumber(color) }]
  })
}

/** 0xRRGGBB, below the bits of its opacity. */
function colourOfNumber(value: unknown): string | undefined {
  const colour = cleanNumber(value)
  if (colour === undefined || !Number.isInteger(colour)) return undefined
  return colourOf((colour >>> 16) & 255, (colour >>> 8) & 255, colour & 255)
}

import type { SongRecord } from '../client/songs.ts'
import { suggestName } from '../options/validate.ts'
import { eachFact, SUMMARIZED, toSnakeCase } from '../song/facts.ts'
import { invalidParameter } from '../values/errors.ts'
import { foreignIds, number } from './cleaning.ts'
import { type CsvRow, columnName } from './csv-rows.ts'
import { LISTS, NAMES, songOf } from './song-record.ts'

/**
 * Where a field comes from: a column, which must exist; several columns (the first that exists is
 * used); or a function of the row.
 */
export type CsvColumn = string | readonly string[] | ((row: CsvRow) => unknown)

/** Where a list comes from: a function of the row. */
type CsvList<K extends keyof SongRecord> = (row: CsvRow) => SongRecord[K]

/** Where the fields of records come from, in the shape of a record. */
export interface CsvColumns {
  /** The song's title. */
  title: CsvColumn
  /** The artists as credited. */
  artistName: CsvColumn
  /** The id of the song. An id that is not `SO…` is kept as a foreign id. */
  id?: CsvColumn
  /** The id of the artist. An id that is not `AR…` is kept as a foreign id. */
  artistId?: CsvColumn
  /** The album. */
  release?: CsvColumn
  /** A year, or a date that begins with one. */
  year?: CsvColumn
  /** In seconds. For milliseconds: `(row) => Number(row.duration_ms) / 1000`. */
  duration?: CsvColumn
  /** The hotttnesss of the song, 0…1. */
  songHotttnesss?: CsvColumn
  /** One of the song types. */
  songType?: CsvColumn
  /** The recording's ISRC. */
  isrc?: CsvColumn
  /** MusicBrainz id of the recording. */
  musicbrainzId?: CsvColumn
  /** The audio summary, field by field. */
  audioSummary?: { [K in keyof NonNullable<SongRecord['audioSummary']>]?: CsvColumn }
  /** The hotttnesss of the artist, 0…1. */
  artistHotttnesss?: CsvColumn
  /** The familiarity of the artist, 0…1. */
  artistFamiliarity?: CsvColumn
  /** Where the artist comes from. */
  artistLocation?: {
    /** Degrees. */
    latitude?: CsvColumn
    /** Degrees. */
    longitude?: CsvColumn
    /** In words: `Memphis, TN`. */
    location?: CsvColumn
  }
  /** The song's tracks in other id spaces. */
  tracks?: CsvList<'tracks'>
  /** The song's ids in other id spaces. */
  foreignIds?: CsvList<'foreignIds'>
  /** The code strings of the song, each with its version. */
  fingerprints?: CsvList<'fingerprints'>
  /** The artist's ids in other id spaces. */
  artistForeignIds?: CsvList<'artistForeignIds'>
  /** Words that describe the artist. */
  terms?: CsvList<'terms'>
}

export function songOfRow(row: CsvRow, columns: CsvColumns): SongRecord {
  const { audioSummary = {}, artistLocation = {} } = columns
  return songOf({
    ...valuesOf(row, columns, NAMES.song),
    audioSummary: valuesOf(row, audioSummary, NAMES.audioSummary),
    artistLocation: valuesOf(row, artistLocation, NAMES.artistLocation),
    tracks: columns.tracks?.(row),
    foreignIds: columns.foreignIds?.(row),
    fingerprints: columns.fingerprints?.(row),
    artistForeignIds: columns.artistForeignIds?.(row),
    terms: columns.terms?.(row),
  })
}

function valuesOf(row: CsvRow, columns: object, names: readonly string[]): Record<string, unknown> {
  const given = new Map<string, CsvColumn | undefined>(Object.entries(columns))
  return Object.fromEntries(names.map((name) => [name, fieldOf(row, given.get(name))]))
}

function fieldOf(row: CsvRow, column: CsvColumn | undefined): unknown {
  if (column === undefined) return undefined
  if (typeof column === 'function') return column(row)
  if (typeof column === 'string') return row[columnName(column)]
  return column.map((name) => row[columnName(name)]).find((value) => value !== undefined)
}

/**
 * Checks that the names in `columns` are fields of a record, and that the file has the columns that
 * must exist.
 *
 * @throws {ParameterError} with the most similar known name
 */
export function checkColumns(columns: CsvColumns, row: CsvRow, file: string): void {
  const { audioSummary = {}, artistLocation = {} } = columns
  const known = [...NAMES.song, 'audioSummary', 'artistLocation', ...LISTS]
  checkNames('columns', columns, known)
  checkNames('columns.audioSummary', audioSummary, NAMES.audioSummary)
  checkNames('columns.artistLocation', artistLocation, NAMES.artistLocation)
  const names = Object.keys(row)
  for (const [field, column] of Object.entries({
    ...columns,
    ...audioSummary,
    ...artistLocation,
  })) {
    const needed = field === 'title' || field === 'artistName'
    const wanted: readonly string[] =
      typeof column === 'string' ? [column] : needed && Array.isArray(column) ? column : []
    const [first] = wanted
    if (first === undefined || wanted.some((name) => names.includes(columnName(name)))) continue
    throw invalidParameter(
      `columns.${field}`,
      `"${wanted.join('", "')}" is not a column of ${file}${suggestName(first, names, '')} (its columns: ${names.join(', ')})`,
    )
  }
}

function checkNames(where: string, given: object, known: readonly string[]): void {
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other === undefined) return
  throw invalidParameter(where, `"${other}" is not a field of a record${suggestName(other, known)}`)
}

interface CsvPreset {
  columns: CsvColumns
  /** Returns what is wrong with a row, e.g. that its fields are shifted. */
  fault?: (row: CsvRow) => string | undefined
}

/** The name of a preset. */
export type CsvPresetName = 'spotify-features' | 'million-song-csv' | 'musicbrainz-canonical'

/** The id of a Spotify track in a column `uri`, `track_id` or `id`. */
function spotifyId(row: CsvRow): string | undefined {
  const given = (row.uri ?? row.track_uri ?? row.spotify_id ?? row.track_id ?? row.id ?? '').trim()
  return /^(?:spotify:track:|https:\/\/open\.spotify\.com\/track\/)?([0-9A-Za-z]{22})(?:\?.*)?$/s.exec(
    given,
  )?.[1]
}

/** Artists as some of these files write them: `['A', 'B']`, `A;B`. */
function spotifyArtists(row: CsvRow): string {
  const given = row.artists ?? ''
  if (!/^\[.*\]$/.test(given)) return given.split(';').join(', ')
  const names = given.matchAll(/'((?:[^'\\]|\\.)*)(?:'|\\?$)|"((?:[^"\\]|\\.)*)(?:"|\\?$)/gs)
  return [...names]
    .map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'))
    .join(', ')
}

/** Reads a beat-based column. The service wrote 0 in all of them when it found no beat. */
function unlessBeatless(column: string) {
  return (row: CsvRow) =>
    number(row[column]) === 0 && number(row.tempo) === 0 ? undefined : row[column]
}

function secondsOf(milliseconds: string | undefined): number | undefined {
  const length = number(milliseconds)
  return length === undefined ? undefined : length / 1000
}

/** Optional columns that have the name of their field. */
function sameName(...names: string[]): Record<string, CsvColumn> {
  return Object.fromEntries(names.map((name) => [name, [name]]))
}

const SPOTIFY: CsvPreset = {
  columns: {
    id: (row) => {
      const id = spotifyId(row)
      return id === undefined ? undefined : `spotify:song:${id}`
    },
    title: ['track', 'track_name', 'name', 'song', 'song_name', 'title'],
    artistName: (row) =>
      row.artist ?? row.artist_name ?? row.track_artist ?? row.artist_names ?? spotifyArtists(row),
    release: ['album', 'album_name', 'track_album_name', 'release'],
    year: ['year', 'release_date', 'album_release_date', 'track_album_release_date'],
    duration: (row) => secondsOf(row.duration_ms),
    isrc: ['isrc', 'ISRC'],
    audioSummary: eachFact(SUMMARIZED, (name, { beatBased }) =>
      beatBased ? unlessBeatless(toSnakeCase(name)) : [toSnakeCase(name)],
    ),
    tracks: (row) => foreignIds({ spotify: spotifyId(row) }),
  },
}

const MILLION_SONG: CsvPreset = {
  columns: {
    id: ['song.id'],
    title: 'title',
    artistId: ['artist.id'],
    artistName: 'artist.name',
    release: ['release.name', 'release'],
    year: ['year'],
    duration: ['duration'],
    songHotttnesss: ['song.hotttnesss'],
    artistHotttnesss: ['artist.hotttnesss'],
    artistFamiliarity: ['familiarity', 'artist.familiarity'],
    artistLocation: sameName('latitude', 'longitude', 'location'),
    audioSummary: {
      ...sameName('tempo', 'key', 'mode', 'loudness'),
      timeSignature: ['time_signature'],
    },
    // The file has only the first of the artist's terms.
    terms: (row) => {
      const { terms: name = '', terms_freq: frequency } = row
      return name.trim() === ''
        ? []
        : [{ name: name.trim(), frequency: number(frequency) as number }]
    },
  },
  // An unclosed quote shifts the fields after it, so that a part of the title becomes the id.
  fault: ({ 'song.id': song, 'artist.id': artist }) =>
    (song === undefined || /^SO\w+$/.test(song)) && (artist === undefined || /^AR\w+$/.test(artist))
      ? undefined
      : `has "${song}" and "${artist}" as the ids of song and artist: its fields are shifted`,
}

const MUSICBRAINZ: CsvPreset = {
  columns: {
    title: 'recording_name',
    artistName: 'artist_credit_name',
    release: ['release_name'],
    musicbrainzId: ['recording_mbid'],
    // Earlier dumps had a year; that of 2026 has none.
    year: ['year'],
    artistForeignIds: (row) => {
      const [first] = (row.artist_mbids ?? '').replace(/[{}"\s]/g, '').split(',')
      return foreignIds({ musicbrainz: first })
    },
  },
}

export const CSV_PRESETS: Readonly<Record<CsvPresetName, CsvPreset>> = Object.freeze({
  'spotify-features': SPOTIFY,
  'million-song-csv': MILLION_SONG,
  'musicbrainz-canonical': MUSICBRAINZ,
})

import type { SongRecord } from '../client/songs.ts'
import { suggestName } from '../options/validate.ts'
import { eachFact, SUMMARIZED, toSnakeCase } from '../song/facts.ts'
import { invalidParameter } from '../values/errors.ts'
import { cleanForeignIds, cleanNumber } from './cleaning.ts'
import { type CsvRow, columnName } from './csv-rows.ts'
import { FIELD_NAMES, LIST_FIELDS, songRecordOfRaw } from './song-record.ts'

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
  return songRecordOfRaw({
    ...fieldValues(row, columns, FIELD_NAMES.song),
    audioSummary: fieldValues(row, audioSummary, FIELD_NAMES.audioSummary),
    artistLocation: fieldValues(row, artistLocation, FIELD_NAMES.artistLocation),
    tracks: columns.tracks?.(row),
    foreignIds: columns.foreignIds?.(row),
    fingerprints: columns.fingerprints?.(row),
    artistForeignIds: columns.artistForeignIds?.(row),
    terms: columns.terms?.(row),
  })
}

function fieldValues(
  row: CsvRow,
  columns: object,
  names: readonly string[],
): Record<string, unknown> {
  const columnsByField = new Map<string, CsvColumn | undefined>(Object.entries(columns))
  return Object.fromEntries(names.map((name) => [name, fieldValue(row, columnsByField.get(name))]))
}

function fieldValue(row: CsvRow, column: CsvColumn | undefined): unknown {
  if (column === undefined) return undefined
  if (typeof column === 'function') return column(row)
  if (typeof column === 'string') return row[columnName(column)]
  return column.map((name) => row[columnName(name)]).find((value) => value !== undefined)
}

/** @throws {ParameterError} with the most similar known name */
export function checkColumns(columns: CsvColumns, row: CsvRow, file: string): void {
  const { audioSummary = {}, artistLocation = {} } = columns
  const knownNames = [...FIELD_NAMES.song, 'audioSummary', 'artistLocation', ...LIST_FIELDS]
  checkNames('columns', columns, knownNames)
  checkNames('columns.audioSummary', audioSummary, FIELD_NAMES.audioSummary)
  checkNames('columns.artistLocation', artistLocation, FIELD_NAMES.artistLocation)
  const names = Object.keys(row)
  for (const [field, column] of Object.entries({
    ...columns,
    ...audioSummary,
    ...artistLocation,
  })) {
    const isNeeded = field === 'title' || field === 'artistName'
    const wantedColumns: readonly string[] =
      typeof column === 'string' ? [column] : isNeeded && Array.isArray(column) ? column : []
    const [firstColumn] = wantedColumns
    if (firstColumn === undefined || wantedColumns.some((name) => names.includes(columnName(name))))
      continue
    throw invalidParameter(
      `columns.${field}`,
      `"${wantedColumns.join('", "')}" is not a column of ${file}${suggestName(firstColumn, names, '')} (its columns: ${names.join(', ')})`,
    )
  }
}

function checkNames(where: string, columns: object, knownNames: readonly string[]): void {
  const unknownName = Object.keys(columns).find((name) => !knownNames.includes(name))
  if (unknownName === undefined) return
  throw invalidParameter(
    where,
    `"${unknownName}" is not a field of a record${suggestName(unknownName, knownNames)}`,
  )
}

interface CsvPreset {
  columns: CsvColumns
  /** What is wrong with a row. */
  faultOf?: (row: CsvRow) => string | undefined
}

/** The name of a preset. */
export type CsvPresetName = 'spotify-features' | 'million-song-csv' | 'musicbrainz-canonical'

/** In a column `uri`, `track_id` or `id`. */
function spotifyId(row: CsvRow): string | undefined {
  const writtenId = (
    row.uri ??
    row.track_uri ??
    row.spotify_id ??
    row.track_id ??
    row.id ??
    ''
  ).trim()
  return /^(?:spotify:track:|https:\/\/open\.spotify\.com\/track\/)?([0-9A-Za-z]{22})(?:\?.*)?$/s.exec(
    writtenId,
  )?.[1]
}

/** `['A', 'B']` or `A;B`. */
function spotifyArtists(row: CsvRow): string {
  const artists = row.artists ?? ''
  if (!/^\[.*\]$/.test(artists)) return artists.split(';').join(', ')
  const names = artists.matchAll(/'((?:[^'\\]|\\.)*)(?:'|\\?$)|"((?:[^"\\]|\\.)*)(?:"|\\?$)/gs)
  return [...names]
    .map(([, inSingleQuotes, inDoubleQuotes]) =>
      (inSingleQuotes ?? inDoubleQuotes ?? '').replace(/\\(.)/g, '$1'),
    )
    .join(', ')
}

/** The service wrote 0 in all beat-based columns when it found no beat. */
function unlessBeatless(column: string) {
  return (row: CsvRow) =>
    cleanNumber(row[column]) === 0 && cleanNumber(row.tempo) === 0 ? undefined : row[column]
}

function secondsOfColumn(milliseconds: string | undefined): number | undefined {
  const length = cleanNumber(milliseconds)
  return length === undefined ? undefined : length / 1000
}

/** Optional columns. */
function columnsOfSameName(...names: string[]): Record<string, CsvColumn> {
  return Object.fromEntries(names.map((name) => [name, [name]]))
}

const SPOTIFY_FEATURES: CsvPreset = {
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
    duration: (row) => secondsOfColumn(row.duration_ms),
    isrc: ['isrc', 'ISRC'],
    audioSummary: eachFact(SUMMARIZED, (name, { beatBased }) =>
      beatBased ? unlessBeatless(toSnakeCase(name)) : [toSnakeCase(name)],
    ),
    tracks: (row) => cleanForeignIds({ spotify: spotifyId(row) }),
  },
}

const MILLION_SONG_CSV: CsvPreset = {
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
    artistLocation: columnsOfSameName('latitude', 'longitude', 'location'),
    audioSummary: {
      ...columnsOfSameName('tempo', 'key', 'mode', 'loudness'),
      timeSignature: ['time_signature'],
    },
    // The file has only the first of the artist's terms.
    terms: (row) => {
      const { terms: name = '', terms_freq: frequency } = row
      return name.trim() === ''
        ? []
        : [{ name: name.trim(), frequency: cleanNumber(frequency) as number }]
    },
  },
  // An unclosed quote shifts the fields after it.
  faultOf: ({ 'song.id': song, 'artist.id': artist }) =>
    (song === undefined || /^SO\w+$/.test(song)) && (artist === undefined || /^AR\w+$/.test(artist))
      ? undefined
      : `has "${song}" and "${artist}" as the ids of song and artist: its fields are shifted`,
}

const MUSICBRAINZ_CANONICAL: CsvPreset = {
  columns: {
    title: 'recording_name',
    artistName: 'artist_credit_name',
    release: ['release_name'],
    musicbrainzId: ['recording_mbid'],
    // Only earlier dumps have it.
    year: ['year'],
    artistForeignIds: (row) => {
      const [first] = (row.artist_mbids ?? '').replace(/[{}"\s]/g, '').split(',')
      return cleanForeignIds({ musicbrainz: first })
    },
  },
}

export const CSV_PRESETS: Readonly<Record<CsvPresetName, CsvPreset>> = Object.freeze({
  'spotify-features': SPOTIFY_FEATURES,
  'million-song-csv': MILLION_SONG_CSV,
  'musicbrainz-canonical': MUSICBRAINZ_CANONICAL,
})

import { eachFact, SUMMARIZED, snake } from '../song/facts.ts'
import { foreignIds } from './cleaning.ts'
import type { CsvColumn, CsvColumns } from './csv-columns.ts'
import type { CsvRow } from './csv-rows.ts'

/** A kind of CSV whose columns are known. */
export interface CsvPreset {
  columns: CsvColumns
  /** Says what is wrong with a row, e.g. that its fields are shifted. */
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

/** Where the service heard no beat, it wrote 0 in all columns that depend on the beat. */
function unlessBeatless(column: string) {
  return (row: CsvRow) =>
    Number(row[column]) === 0 && Number(row.tempo) === 0 ? undefined : row[column]
}

/** Columns that have the name of their field, and may be absent. */
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
    duration: (row) => Number(row.duration_ms) / 1000,
    isrc: ['isrc', 'ISRC'],
    audioSummary: eachFact(SUMMARIZED, (name, { beatBased }) =>
      beatBased ? unlessBeatless(snake(name)) : [snake(name)],
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
      return name.trim() === '' ? [] : [{ name: name.trim(), frequency: Number(frequency) }]
    },
  },
  // A quote that was not closed shifts the fields after it: a part of the title is then the id.
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

/** The presets of `fromCsv`, by name. */
export const CSV_PRESETS: Readonly<Record<CsvPresetName, CsvPreset>> = Object.freeze({
  'spotify-features': SPOTIFY,
  'million-song-csv': MILLION_SONG,
  'musicbrainz-canonical': MUSICBRAINZ,
})

import type { CsvColumns } from './csv-columns.ts'
import type { CsvRow } from './csv-rows.ts'

/** What is known of a kind of CSV. */
export interface CsvPreset {
  columns: CsvColumns
  /** Why a row is not what it should be, if it is not: where fields were shifted, say. */
  fault?: (row: CsvRow) => string | undefined
}

/** Kinds of CSV whose columns are known. */
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

/** Where the service heard no beat it wrote 0 for all that rests on the beat. */
function unlessBeatless(column: string) {
  return (row: CsvRow) =>
    Number(row[column]) === 0 && Number(row.tempo) === 0 ? undefined : row[column]
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
    audioSummary: {
      tempo: ['tempo'],
      key: ['key'],
      mode: ['mode'],
      timeSignature: ['time_signature'],
      loudness: ['loudness'],
      energy: ['energy'],
      danceability: unlessBeatless('danceability'),
      speechiness: unlessBeatless('speechiness'),
      acousticness: ['acousticness'],
      instrumentalness: ['instrumentalness'],
      liveness: ['liveness'],
      valence: unlessBeatless('valence'),
    },
    tracks: (row) => {
      const id = spotifyId(row)
      return id === undefined ? [] : [{ catalog: 'spotify', foreignId: id }]
    },
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
    artistLocation: { latitude: ['latitude'], longitude: ['longitude'], location: ['location'] },
    audioSummary: {
      tempo: ['tempo'],
      key: ['key'],
      mode: ['mode'],
      timeSignature: ['time_signature'],
      loudness: ['loudness'],
    },
    // Only the first of the artist's terms is there.
    terms: (row) => {
      const { terms: name = '', terms_freq: frequency } = row
      return name.trim() === '' ? [] : [{ name: name.trim(), frequency: Number(frequency) }]
    },
  },
  // A quote that was not closed shifts what follows: a part of the title is then the song's id.
  fault: ({ 'song.id': song, 'artist.id': artist }) =>
    (song === undefined || /^SO\w+$/.test(song)) && (artist === undefined || /^AR\w+$/.test(artist))
      ? undefined
      : `has "${song}" and "${artist}" for the ids of song and artist: its fields are shifted`,
}

const MUSICBRAINZ: CsvPreset = {
  columns: {
    title: 'recording_name',
    artistName: 'artist_credit_name',
    release: ['release_name'],
    musicbrainzId: ['recording_mbid'],
    // The dump of 2026 has no year; earlier tables of this kind had.
    year: ['year'],
    artistForeignIds: (row) => {
      const [first] = (row.artist_mbids ?? '').replace(/[{}"\s]/g, '').split(',')
      return first === undefined || first === ''
        ? []
        : [{ catalog: 'musicbrainz', foreignId: first }]
    },
  },
}

/** The presets of `fromCsv`, by name. */
export const CSV_PRESETS: Readonly<Record<CsvPresetName, CsvPreset>> = Object.freeze({
  'spotify-features': SPOTIFY,
  'million-song-csv': MILLION_SONG,
  'musicbrainz-canonical': MUSICBRAINZ,
})

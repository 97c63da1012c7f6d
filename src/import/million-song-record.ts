import type { SongRecord } from '../client/songs.ts'
import * as clean from './cleaning.ts'

/** What the Million Song Dataset says of a song, as it was read. */
export interface MillionSongRow {
  track_id?: unknown
  song_id?: unknown
  title?: unknown
  artist_id?: unknown
  artist_name?: unknown
  artist_mbid?: unknown
  artist_7digitalid?: unknown
  artist_familiarity?: unknown
  artist_hotttnesss?: unknown
  artist_latitude?: unknown
  artist_longitude?: unknown
  artist_location?: unknown
  release?: unknown
  release_7digitalid?: unknown
  track_7digitalid?: unknown
  song_hotttnesss?: unknown
  year?: unknown
  duration?: unknown
  tempo?: unknown
  key?: unknown
  mode?: unknown
  time_signature?: unknown
  loudness?: unknown
  energy?: unknown
  danceability?: unknown
  audio_md5?: unknown
}

/** An artist's term in a record. */
export type Term = NonNullable<SongRecord['terms']>[number]

/**
 * A row as a record. The dataset writes NaN, -1, 0 and empty text for what is not known; its energy
 * and danceability are 0 throughout.
 */
export function songRecordOf(row: MillionSongRow, terms: readonly Term[] = []): SongRecord {
  return clean.recordOf<SongRecord>({
    id: clean.text(row.song_id),
    title: clean.text(row.title) ?? '',
    artistId: clean.text(row.artist_id),
    artistName: clean.text(row.artist_name) ?? '',
    release: clean.text(row.release),
    year: clean.year(row.year),
    duration: clean.songDuration(row.duration),
    songHotttnesss: clean.hotttnesss(row.song_hotttnesss),
    audioSummary: clean.known({
      tempo: clean.tempo(row.tempo),
      key: clean.pitchClass(row.key),
      mode: clean.mode(row.mode),
      timeSignature: clean.timeSignature(row.time_signature),
      loudness: clean.loudness(row.loudness),
      energy: clean.positive(clean.share(row.energy)),
      danceability: clean.positive(clean.share(row.danceability)),
      audioMd5: clean.text(row.audio_md5),
    }),
    tracks: clean.some(tracksOf(row)),
    artistHotttnesss: clean.hotttnesss(row.artist_hotttnesss),
    artistFamiliarity: clean.hotttnesss(row.artist_familiarity),
    artistLocation: clean.known({
      ...clean.coordinates(row.artist_latitude, row.artist_longitude),
      location: clean.place(row.artist_location),
    }),
    artistForeignIds: clean.some(
      foreignIds({ musicbrainz: row.artist_mbid, '7digital': row.artist_7digitalid }),
    ),
    terms: clean.some(terms),
  })
}

/** The track: its own id, and that of the shop that sold it. */
function tracksOf(row: MillionSongRow): NonNullable<SongRecord['tracks']> {
  const id = clean.text(row.track_id)
  const sold = clean.ordinal(row.track_7digitalid)
  const release = clean.ordinal(row.release_7digitalid)
  if (sold !== undefined) {
    return [
      {
        ...(id !== undefined && { id }),
        catalog: '7digital',
        foreignId: String(sold),
        ...(release !== undefined && { foreignReleaseId: `7digital:release:${release}` }),
      },
    ]
  }
  return id === undefined ? [] : [{ id }]
}

/** The ids of an artist in other spaces. -1 and 0 are none. */
export function foreignIds(
  ids: Record<string, unknown>,
): NonNullable<SongRecord['artistForeignIds']> {
  return Object.entries(ids).flatMap(([catalog, given]) => {
    const foreignId = clean.text(given)
    return foreignId === undefined || foreignId === '-1' || foreignId === '0'
      ? []
      : [{ catalog, foreignId }]
  })
}

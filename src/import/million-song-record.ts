import type { SongRecord } from '../client/songs.ts'
import { eachFact, SUMMARIZED, toSnakeCase } from '../song/facts.ts'
import { foreignIds, ordinal, positive, recordOf, share, text } from './cleaning.ts'
import { type RawSong, songOf } from './song-record.ts'

/** A row of the Million Song Dataset, by the names of its columns. */
export type MillionSongRow = Readonly<Record<string, unknown>>

/** Leaves out an energy or danceability of 0, which is in all files of the dataset. */
export function songOfMillionSong(row: MillionSongRow, terms: RawSong['terms'] = []): SongRecord {
  return songOf({
    id: row.song_id,
    title: row.title,
    artistId: row.artist_id,
    artistName: row.artist_name,
    release: row.release,
    year: row.year,
    duration: row.duration,
    songHotttnesss: row.song_hotttnesss,
    audioSummary: {
      ...eachFact(SUMMARIZED, (name) => row[toSnakeCase(name)]),
      energy: positive(share(row.energy)),
      danceability: positive(share(row.danceability)),
    },
    tracks: tracksOf(row),
    artistHotttnesss: row.artist_hotttnesss,
    artistFamiliarity: row.artist_familiarity,
    artistLocation: {
      latitude: row.artist_latitude,
      longitude: row.artist_longitude,
      location: row.artist_location,
    },
    artistForeignIds: foreignIds({
      musicbrainz: row.artist_mbid,
      '7digital': row.artist_7digitalid,
    }),
    terms,
  })
}

/** The track, with its own id and its ids in the shop 7digital. */
function tracksOf(row: MillionSongRow): SongRecord['tracks'] {
  const id = text(row.track_id)
  const sold = ordinal(row.track_7digitalid)
  const release = ordinal(row.release_7digitalid)
  if (sold === undefined) return id === undefined ? [] : [{ id }]
  return [
    recordOf({
      id,
      catalog: '7digital',
      foreignId: String(sold),
      foreignReleaseId: release === undefined ? undefined : `7digital:release:${release}`,
    }),
  ]
}

import type { SongRecord } from '../client/songs.ts'
import { eachFact, SUMMARIZED, toSnakeCase } from '../song/facts.ts'
import {
  cleanForeignIds,
  cleanOrdinal,
  cleanPositive,
  cleanShare,
  cleanTextValue,
  recordOfKnown,
} from './cleaning.ts'
import { type RawSong, songRecordOfRaw } from './song-record.ts'

/** By the names of its columns. */
export type MillionSongRow = Readonly<Record<string, unknown>>

/** All files of the dataset have an energy and a danceability of 0. */
export function songOfMillionSong(row: MillionSongRow, terms: RawSong['terms'] = []): SongRecord {
  return songRecordOfRaw({
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
      energy: cleanPositive(cleanShare(row.energy)),
      danceability: cleanPositive(cleanShare(row.danceability)),
    },
    tracks: tracksOfMillionSong(row),
    artistHotttnesss: row.artist_hotttnesss,
    artistFamiliarity: row.artist_familiarity,
    artistLocation: {
      latitude: row.artist_latitude,
      longitude: row.artist_longitude,
      location: row.artist_location,
    },
    artistForeignIds: cleanForeignIds({
      musicbrainz: row.artist_mbid,
      '7digital': row.artist_7digitalid,
    }),
    terms,
  })
}

/** With its ids in the shop 7digital. */
function tracksOfMillionSong(row: MillionSongRow): SongRecord['tracks'] {
  const id = cleanTextValue(row.track_id)
  const shopId = cleanOrdinal(row.track_7digitalid)
  const release = cleanOrdinal(row.release_7digitalid)
  if (shopId === undefined) return id === undefined ? [] : [{ id }]
  return [
    recordOfKnown({
      id,
      catalog: '7digital',
      foreignId: String(shopId),
      foreignReleaseId: release === undefined ? undefined : `7digital:release:${release}`,
    }),
  ]
}

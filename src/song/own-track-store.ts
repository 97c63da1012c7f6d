import { type FileStore, type TrackFile, trackFileOf } from '../input/file-store.ts'
import { all, run, storeOf } from '../kernel/database/statements.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { known } from '../values/known.ts'
import type { SongFacts } from './store.ts'
import { type StoredStatus, trackStatusOf } from './track-status.ts'

interface OwnTrackRow {
  id: string
  status: StoredStatus
  title: string | null
  artist: string | null
  analyzerVersion: string | null
  importedAnalysis: 0 | 1 | null
}

export class OwnTrackStore extends storeOf({
  ofSong: all<[songId: string], OwnTrackRow>(
    `SELECT t.id, t.status, t.title, t.artist, a.analyzer_version AS analyzerVersion,
       a.imported AS importedAnalysis
     FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id
     WHERE t.song_id = ? ORDER BY t.created_at, t.id`,
  ),
  /** A missing tag clears its fact. */
  setFacts: run<Omit<SongFacts, 'hotttnesss' | 'songType'> & { num: number; titleKey: string }>(
    `UPDATE songs SET title = @title, title_key = @titleKey, artist = @artist, credit = @credit,
       release = @release, duration = @duration, year = @year
     WHERE num = @num`,
  ),
  removeId: run<{ song: number; catalog: string; foreignId: string }>(
    `DELETE FROM song_foreign_ids
     WHERE song = @song AND catalog = @catalog AND foreign_id = @foreignId`,
  ),
  removeTerm: run<{ song: number; name: string }>(
    `DELETE FROM song_terms
     WHERE song = @song AND term = (SELECT num FROM terms WHERE name = @name)`,
  ),
}) {}

/** One of your own tracks that is a recording of a song. */
export interface OwnTrack {
  /** `TR…` */
  id: string
  /** The state of its analysis. */
  status: TrackStatus
  /** From the file's tags. */
  title?: string
  /** From the file's tags. */
  artist?: string
  /** Its files on this machine; empty if the track came as bytes. */
  files: TrackFile[]
}

export function ownTracksOf(
  { ownTracks, files }: { ownTracks: OwnTrackStore; files: FileStore },
  songId: string,
): OwnTrack[] {
  return ownTracks.ofSong(songId).map(({ id, title, artist, ...row }) => {
    return known({
      id,
      status: trackStatusOf(row),
      title,
      artist,
      files: files.ofTrack(id).map(trackFileOf),
    })
  })
}

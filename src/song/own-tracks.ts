import { type FileStore, fileOf, type TrackFile } from '../input/file-store.ts'
import type { TrackStatus } from '../kernel/events.ts'
import type { OwnTrackStore } from './own-track-store.ts'
import { statusOf } from './track-status.ts'

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
  /** Where its bytes are on this machine; empty if they came as bytes. */
  files: TrackFile[]
}

/** The tracks of a song, in the order of their upload. */
export function ownTracksOf(
  { ownTracks, files }: { ownTracks: OwnTrackStore; files: FileStore },
  songId: string,
): OwnTrack[] {
  return ownTracks.ofSong(songId).map(({ id, title, artist, ...row }) => {
    const track: OwnTrack = { id, status: statusOf(row), files: files.ofTrack(id).map(fileOf) }
    if (title !== null) track.title = title
    if (artist !== null) track.artist = artist
    return track
  })
}

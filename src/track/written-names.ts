import { isNobody, primaryName } from '../naming/credit.ts'
import { UNKNOWN_ALBUM } from './album-groups.ts'
import { type TrackRow, tagsOf } from './store.ts'

/** As the tags of a track write them. */
export interface WrittenNames {
  /** The main artist, without guests; `null` where none is named. */
  artist: string | null
  /** The artist of the album; `null` where there are several, or none is named. */
  albumArtist: string | null
  album: string
}

export interface WrittenTrack extends WrittenNames {
  id: string
}

export function writtenNames(track: Pick<TrackRow, 'artist' | 'release' | 'tags'>): WrittenNames {
  const { release, artist } = track
  const { albumArtist, compilation } = tagsOf(track)
  const main = artist === null || isNobody(artist) ? null : primaryName(artist)
  const isSeveral = albumArtist === undefined && compilation === true && release !== null
  const credited = albumArtist ?? (artist === null ? null : primaryName(artist))
  const isUnnamed = isSeveral || credited === null || isNobody(credited)
  return {
    artist: main,
    albumArtist: isUnnamed ? null : credited,
    album: release ?? UNKNOWN_ALBUM,
  }
}

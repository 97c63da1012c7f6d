// Placeholder until the matcher is written here (by its author: just overwrite this file).
import type { ArtistStore } from '../artist/store.ts'
import type { SongStore } from './store.ts'
export interface MatchContext {
  store: SongStore
  artists: ArtistStore
}
export interface SongQuery {
  songName?: string
  artistName?: string
  artistId?: string
  release?: string
  duration?: number
  isrc?: string[]
  musicbrainzId?: string
}
export interface SongMatch {
  songId: string
  num: number
  score: number
  by: 'id' | 'key' | 'words'
}
export function matchSong(_context: MatchContext, _query: SongQuery): SongMatch | undefined {
  return undefined
}

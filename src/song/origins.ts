import type { SongRoom } from './room.ts'
import type { SongFacts, SongRow } from './store.ts'

/**
 * Where a value came from: audile's own analysis, the tags of a file, an import, or the plays in
 * catalogs.
 */
export type Origin = 'analysis' | 'tags' | 'import' | 'listening'

/** The bit of each field in `songs.imported`. */
const FIELD = Object.freeze({ names: 1, release: 2, duration: 4, year: 8 } as const)

/** The bits of the fields that an import sets. */
export function importedBits({ release, duration, year }: SongFacts): number {
  return (
    FIELD.names |
    (release === null ? 0 : FIELD.release) |
    (duration === null ? 0 : FIELD.duration) |
    (year === null ? 0 : FIELD.year)
  )
}

/** The origin of each known value of a song. */
export function originsOf(
  { artists }: Pick<SongRoom, 'artists'>,
  row: SongRow,
): Record<string, Origin> {
  const origins: Record<string, Origin> = {}
  const said = (bit: number): Origin => (row.imported & bit ? 'import' : 'tags')
  origins.title = said(FIELD.names)
  if (row.artistNum !== null) origins.artist_name = said(FIELD.names)
  if (row.release !== null) origins.release = said(FIELD.release)
  if (row.year !== null) origins.year = said(FIELD.year)
  if (row.trackId !== null) origins.duration = 'analysis'
  else if (row.songDuration !== null) origins.duration = said(FIELD.duration)
  if (row.trackId !== null) origins.audio_summary = 'analysis'
  else if (row.summarized === 1) origins.audio_summary = 'import'
  if (row.hotttnesss !== null) origins.song_hotttnesss = row.rated === 1 ? 'import' : 'listening'
  const artist = row.artistNum === null ? undefined : artists.byNum(row.artistNum)
  if (artist?.familiarity != null) {
    origins.artist_familiarity = artist.familiarityHeard === 1 ? 'listening' : 'import'
  }
  if (artist?.hotttnesss != null) {
    origins.artist_hotttnesss = artist.hotttnesssHeard === 1 ? 'listening' : 'import'
  }
  if (artist?.location != null || artist?.latitude != null) origins.artist_location = 'import'
  return origins
}

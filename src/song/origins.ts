import { popularityOrigins as originsOfArtist } from '../artist/artist-answer.ts'
import { known } from '../values/known.ts'
import type { SongRoom } from './room.ts'
import type { SongFacts, SongRow } from './store.ts'

/**
 * Where a value came from: audile's own analysis, the tags of a file, an import, or the plays in
 * catalogs.
 */
export type Origin = 'analysis' | 'tags' | 'import' | 'listening'

/** The bit of each field in `songs.imported`. */
const FIELD = Object.freeze({ names: 1, release: 2, duration: 4, year: 8 } as const)

export function importedBits({ release, duration, year }: SongFacts): number {
  return (
    FIELD.names |
    (release === null ? 0 : FIELD.release) |
    (duration === null ? 0 : FIELD.duration) |
    (year === null ? 0 : FIELD.year)
  )
}

export function originsOf(
  { artists }: Pick<SongRoom, 'artists'>,
  row: SongRow,
): Record<string, Origin> {
  const said = (value: unknown, bit: number) =>
    value === null ? null : row.imported & bit ? 'import' : 'tags'
  const heard = row.trackId === null ? null : 'analysis'
  const artist = row.artistNum === null ? undefined : artists.byNum(row.artistNum)
  const { familiarity, hotttnesss } = artist ? originsOfArtist(artist) : {}
  return known({
    title: said(row.title, FIELD.names),
    artist_name: said(row.artistNum, FIELD.names),
    release: said(row.release, FIELD.release),
    year: said(row.year, FIELD.year),
    duration: heard ?? said(row.songDuration, FIELD.duration),
    audio_summary: heard ?? (row.summarized === 1 ? 'import' : null),
    song_hotttnesss: row.hotttnesss === null ? null : row.rated === 1 ? 'import' : 'listening',
    artist_familiarity: familiarity,
    artist_hotttnesss: hotttnesss,
    artist_location: (artist?.location ?? artist?.latitude) == null ? null : 'import',
  })
}

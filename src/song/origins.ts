import { popularityOrigins as originsOfArtist } from '../artist/artist-answer.ts'
import { known } from '../values/known.ts'
import type { SongRoom } from './room.ts'
import type { SongFacts, SongRow } from './store.ts'

/** Where a value came from: audile's analysis, tags, an import, or the plays in catalogs. */
export type Origin = 'analysis' | 'tags' | 'import' | 'listening'

/** In `songs.imported`. */
const IMPORTED_FIELD = Object.freeze({ names: 1, release: 2, duration: 4, year: 8 } as const)

export function importedBits({ release, duration, year }: SongFacts): number {
  return (
    IMPORTED_FIELD.names |
    (release === null ? 0 : IMPORTED_FIELD.release) |
    (duration === null ? 0 : IMPORTED_FIELD.duration) |
    (year === null ? 0 : IMPORTED_FIELD.year)
  )
}

export function songOrigins(
  { artists }: Pick<SongRoom, 'artists'>,
  row: SongRow,
): Record<string, Origin> {
  const originOf = (value: unknown, bit: number) =>
    value === null ? null : row.imported & bit ? 'import' : 'tags'
  const analysisOrigin = row.trackId === null ? null : 'analysis'
  const artist = row.artistNum === null ? undefined : artists.byNum(row.artistNum)
  const { familiarity, hotttnesss } = artist ? originsOfArtist(artist) : {}
  return known({
    title: originOf(row.title, IMPORTED_FIELD.names),
    artist_name: originOf(row.artistNum, IMPORTED_FIELD.names),
    release: originOf(row.release, IMPORTED_FIELD.release),
    year: originOf(row.year, IMPORTED_FIELD.year),
    duration: analysisOrigin ?? originOf(row.songDuration, IMPORTED_FIELD.duration),
    audio_summary: analysisOrigin ?? (row.summarized === 1 ? 'import' : null),
    song_hotttnesss: row.hotttnesss === null ? null : row.rated === 1 ? 'import' : 'listening',
    artist_familiarity: familiarity,
    artist_hotttnesss: hotttnesss,
    artist_location: (artist?.location ?? artist?.latitude) == null ? null : 'import',
  })
}

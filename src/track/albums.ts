import { z } from 'zod'
import { gainOf, integratedLoudness, LOUDNESS } from '../analysis/loudness-measures.ts'
import { method } from '../kernel/method.ts'
import { name, pageParameters } from '../options/parameter-types.ts'
import {
  type AlbumGroup,
  byArtist,
  compareCodeUnits,
  fitsName,
  isUnknownAlbum,
} from './album-groups.ts'
import type { LevelRow } from './analysis-store.ts'
import type { TrackRoom } from './room.ts'
import type { WrittenTrack } from './written-names.ts'

/** An album of one's own tracks. Unknown fields are absent. */
export interface Album {
  /** For `album` of `tracks.search`. */
  id: number
  /** As in its first track; `unknown` for tracks whose tags name no album. */
  title: string
  /** The artist of the album. */
  artist?: string
  /** Whether it has tracks of several artists and is by none of them. */
  compilation: boolean
  /** The first year of its tracks. */
  year?: number
  /** The last year of its tracks, if it differs from `year`. */
  lastYear?: number
  /** The number of its tracks. */
  tracks: number
  /** The highest disc number. */
  discs: number
  /** Seconds, all tracks together. */
  duration: number
  /** `TR…` of its first track, for the cover. */
  trackId: string
  /**
   * The gain that plays the album at -18 LUFS (ReplayGain 2.0), dB: its tracks count as one
   * recording. Absent while a track is not analysed, for silence, and where tags name no album.
   */
  albumGain?: number
  /** The highest true peak of its tracks, dBTP; absent where the gain is. */
  albumPeak?: number
}

/** A page of albums. */
export interface AlbumPage {
  /** Where the page begins. */
  start: number
  /** Albums that match the query. */
  total: number
  /** In the requested order. */
  albums: Album[]
}

const ALBUM_ORDERS = {
  'artist-asc': byArtist,
  'title-asc': (a: AlbumGroup, b: AlbumGroup) =>
    compareCodeUnits(a.titleKey, b.titleKey) || byArtist(a, b),
  'year-asc': (a: AlbumGroup, b: AlbumGroup) =>
    byYear(a, b) || a.years[0] - b.years[0] || byArtist(a, b),
  'year-desc': (a: AlbumGroup, b: AlbumGroup) =>
    byYear(a, b) || b.years[0] - a.years[0] || byArtist(a, b),
  'created-desc': (a: AlbumGroup, b: AlbumGroup) => b.created - a.created || byArtist(a, b),
  'tracks-desc': (a: AlbumGroup, b: AlbumGroup) => b.tracks - a.tracks || byArtist(a, b),
} as const

function byYear(a: AlbumGroup, b: AlbumGroup): number {
  return Number(a.years[0] === 0) - Number(b.years[0] === 0)
}

const ALBUM_SORTS = Object.keys(ALBUM_ORDERS) as (keyof typeof ALBUM_ORDERS)[]

/** `track/albums` (ours): the albums of one's own tracks, by the tags, in pages. */
export const listAlbums = method({
  name: 'track/albums',
  parameters: z.strictObject({
    /** Words of the album's artist; the last one may be the beginning of a word. */
    artist: name.optional(),
    /** Words of the album's title; the last one may be the beginning of a word. */
    title: name.optional(),
    /** The order. Default `artist-asc`: by artist, year and title. `created-desc`: last added first. */
    sort: z.enum(ALBUM_SORTS).default('artist-asc'),
    ...pageParameters(15),
  }),
  run({ library, analyses }: TrackRoom, { artist, title, sort, start, results }): AlbumPage {
    const matchingGroups = library
      .albumGroups()
      .groups.filter(
        (group) => fitsName(group.artistKey, artist) && fitsName(group.titleKey, title),
      )
    if (sort !== 'artist-asc') matchingGroups.sort(ALBUM_ORDERS[sort])
    const chosen = matchingGroups.slice(start, start + results)
    const names = library.writtenNamesOf(chosen.map(({ first }) => first))
    const levels = albumLevels(chosen, analyses)
    return {
      start,
      total: matchingGroups.length,
      albums: chosen.map((group, i) => ({
        ...describeAlbum(group, names.get(group.first)),
        ...levels[i],
      })),
    }
  },
})

function describeAlbum(group: AlbumGroup, firstTrack: WrittenTrack | undefined): Album {
  const { id, title, artist, compilation, tracks, discs, duration } = group
  const [year, lastYear] = group.years
  return {
    id,
    title: firstTrack?.album ?? title,
    ...(artist !== null && { artist: firstTrack?.albumArtist ?? artist }),
    compilation,
    ...(year > 0 && { year }),
    ...(lastYear > year && { lastYear }),
    tracks,
    discs,
    duration,
    trackId: firstTrack?.id ?? '',
  }
}

/** Empty unless all tracks of the album are analysed and one is louder than silence. */
export function albumLevels(
  groups: readonly AlbumGroup[],
  analyses: TrackRoom['analyses'],
): Pick<Album, 'albumGain' | 'albumPeak'>[] {
  const titledGroups = groups.filter((group) => !isUnknownAlbum(group))
  const rows = analyses.levels(JSON.stringify(titledGroups.flatMap(({ nums }) => nums)))
  const measured = new Map(rows.map((row) => [row.num, row]))
  return groups.map((group) => (isUnknownAlbum(group) ? {} : levelsOfAlbum(group, measured)))
}

function levelsOfAlbum(
  group: AlbumGroup,
  measured: ReadonlyMap<number, LevelRow>,
): Pick<Album, 'albumGain' | 'albumPeak'> {
  const levels = group.nums.flatMap((num) => measured.get(num) ?? [])
  if (levels.length < group.tracks) return {}
  // Copied, because a blob may not be aligned.
  const blocks = levels.map(({ blocks }) => new Uint32Array(Uint8Array.from(blocks).buffer))
  const loudness = integratedLoudness(blocks)
  if (loudness <= LOUDNESS.floor) return {}
  const albumPeak = Math.max(...levels.map(({ truePeak }) => truePeak ?? LOUDNESS.floor))
  return { albumGain: Number(gainOf(loudness).toFixed(3)), albumPeak }
}

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { name, pageParameters } from '../options/parameter-types.ts'
import { compareCodeUnits, fitsName } from './album-groups.ts'
import type { TrackRoom } from './room.ts'

/** An artist of one's own tracks. */
export interface LibraryArtist {
  /** As in the tags of the track that was added first, without guests. */
  name: string
  /** The number of tracks by the artist. */
  tracks: number
  /** The number of albums with these tracks. */
  albums: number
  /** Seconds, all tracks together. */
  duration: number
  /** `TR…` of a track, for a cover. */
  trackId: string
}

/** A page of artists. */
export interface LibraryArtistPage {
  /** Where the page begins. */
  start: number
  /** Artists that match the query. */
  total: number
  /** In the requested order. */
  artists: LibraryArtist[]
}

interface ArtistGroup {
  key: string
  name: string
  tracks: number
  albums: Set<number>
  duration: number
  first: number
}

const ARTIST_ORDERS = {
  'name-asc': (a: ArtistGroup, b: ArtistGroup) => compareCodeUnits(a.key, b.key),
  'name-desc': (a: ArtistGroup, b: ArtistGroup) => compareCodeUnits(b.key, a.key),
  'tracks-desc': (a: ArtistGroup, b: ArtistGroup) =>
    b.tracks - a.tracks || compareCodeUnits(a.key, b.key),
} as const
const ARTIST_SORTS = Object.keys(ARTIST_ORDERS) as (keyof typeof ARTIST_ORDERS)[]

/** `track/artists` (ours): the artists of one's own tracks, by the tags, in pages. */
export const listArtists = method({
  name: 'track/artists',
  parameters: z.strictObject({
    /** Words of the name; the last one may be the beginning of a word. */
    name: name.optional(),
    /** The order. Default `name-asc`; a leading article does not count. */
    sort: z.enum(ARTIST_SORTS).default('name-asc'),
    ...pageParameters(15),
  }),
  run({ library }: TrackRoom, { name, sort, start, results }): LibraryArtistPage {
    const matchingGroups = artistGroups(library).filter(({ key }) => fitsName(key, name))
    matchingGroups.sort(ARTIST_ORDERS[sort])
    const chosen = matchingGroups.slice(start, start + results)
    const names = library.writtenNamesOf(chosen.map(({ first }) => first))
    return {
      start,
      total: matchingGroups.length,
      artists: chosen.map(({ name, tracks, albums, duration, first }) => ({
        name: names.get(first)?.artist ?? name,
        tracks,
        albums: albums.size,
        duration,
        trackId: names.get(first)?.id ?? '',
      })),
    }
  },
})

function artistGroups(library: TrackRoom['library']): ArtistGroup[] {
  const { placeOf } = library.albumGroups()
  const { columns, length } = library.read()
  const groups = new Map<number, ArtistGroup>()
  for (const { num, nameKey: key, name } of library.artists()) {
    groups.set(num, { key, name, tracks: 0, albums: new Set(), duration: 0, first: 0 })
  }
  for (let num = 0; num < length; num++) {
    const group = columns.status[num] === 0 ? undefined : groups.get(columns.artist[num] as number)
    if (!group) continue
    if (group.tracks++ === 0) group.first = num
    const seconds = columns.duration[num] as number
    group.albums.add(placeOf[columns.album[num] as number] as number)
    if (!Number.isNaN(seconds)) group.duration += seconds
  }
  return [...groups.values()].filter(({ tracks }) => tracks > 0)
}

import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { name, pageParameters } from '../options/parameter-types.ts'
import { compare, fitsName } from './album-groups.ts'
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

interface Group {
  key: string
  name: string
  tracks: number
  albums: Set<number>
  duration: number
  first: number
}

const ORDERS = {
  'name-asc': (a: Group, b: Group) => compare(a.key, b.key),
  'name-desc': (a: Group, b: Group) => compare(b.key, a.key),
  'tracks-desc': (a: Group, b: Group) => b.tracks - a.tracks || compare(a.key, b.key),
} as const
const SORTS = Object.keys(ORDERS) as (keyof typeof ORDERS)[]

/** `track/artists` (ours): the artists of one's own tracks, by the tags of the files, in pages. */
export const artists = method({
  name: 'track/artists',
  parameters: z.strictObject({
    /** Words of the name; the last one may be the beginning of a word. */
    name: name.optional(),
    /** The order. Default `name-asc`; a leading article does not count. */
    sort: z.enum(SORTS).default('name-asc'),
    ...pageParameters(15),
  }),
  run({ library }: TrackRoom, { name, sort, start, results }): LibraryArtistPage {
    const found = groupsOf(library).filter(({ key }) => fitsName(key, name))
    found.sort(ORDERS[sort])
    const chosen = found.slice(start, start + results)
    const names = library.writtenNamesOf(chosen.map(({ first }) => first))
    return {
      start,
      total: found.length,
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

function groupsOf(library: TrackRoom['library']): Group[] {
  const { placeOf } = library.albumGroups()
  const { columns, length } = library.read()
  const groups = new Map<number, Group>()
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

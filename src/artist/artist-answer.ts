import { bucketParameter } from '../options/parameter-types.ts'
import { formatForeignId } from '../values/ids.ts'
import type { CheckedArtist } from './record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow, ArtistStore } from './store.ts'

/** The most documents of a kind in an answer. */
const DOCUMENTS = 15

type Recorded<K extends keyof CheckedArtist> = NonNullable<CheckedArtist[K]>

/** The contents of artist buckets. An unknown number is absent; an unknown list is empty. */
export interface ArtistBuckets {
  /** With the bucket of that name: texts about the artist's life, at most 15. */
  biographies?: Recorded<'biographies'>
  /** With the bucket of that name: articles in blogs, the newest first, at most 15. */
  blogs?: Recorded<'blogs'>
  /** With the bucket of that name: the newest first, at most 15. */
  news?: Recorded<'news'>
  /** With the bucket of that name: the newest first, at most 15. */
  reviews?: Recorded<'reviews'>
  /** With the bucket of that name, at most 15. */
  images?: Recorded<'images'>
  /** With the bucket of that name, at most 15. */
  video?: Recorded<'video'>
  /** With the bucket `doc_counts`: the number of documents of each kind. */
  docCounts?: Record<
    'audio' | 'biographies' | 'blogs' | 'images' | 'news' | 'reviews' | 'songs' | 'video',
    number
  >
  /** With the bucket of that name: how well known the artist is, 0…1. */
  familiarity?: number
  /** With the bucket of that name: how popular the artist is now, 0…1. */
  hotttnesss?: number
  /**
   * With the bucket `origins` (ours): whether familiarity and hotttnesss were imported or derived.
   */
  origins?: {
    /** `listening`: computed from the catalogs of this database. */
    familiarity?: 'import' | 'listening'
    /** As for familiarity. */
    hotttnesss?: 'import' | 'listening'
  }
  /** With the bucket of that name. */
  songs?: {
    /** `SO…` */
    id: string
    /** Its name. */
    title: string
  }[]
  /** With the bucket of that name: by weight. */
  terms?: {
    /** The word or words. */
    name: string
    /** How well it describes the artist, 0…1. */
    weight: number
    /** How often it is used for the artist, 0…1. */
    frequency: number
  }[]
  /** With the bucket of that name: addresses by kind. */
  urls?: Record<string, string>
  /** With the bucket `years_active`: periods of activity, the last without `end` if it goes on. */
  yearsActive?: Recorded<'yearsActive'>
  /** With an `id:` bucket: the artist's ids in those spaces. */
  foreignIds?: {
    /** The id space. */
    catalog: string
    /** `<space>:artist:<id>` */
    foreignId: string
  }[]
  /** With the bucket `artist_location`. */
  artistLocation?: Recorded<'location'>
}

/** An artist in answers. */
export interface ArtistAnswer extends ArtistBuckets {
  /** `AR…` */
  id: string
  /** The proper name. */
  name: string
}

type DescribeContext = Pick<ArtistRoom, 'store' | 'catalogs'>

/** The answer for a stored artist. */
export function describe(
  context: DescribeContext,
  row: ArtistRow,
  buckets: string | readonly string[] | undefined,
): ArtistAnswer {
  return { id: row.id, name: row.name, ...bucketsOf(context, row, buckets) }
}

/** The data of the requested buckets. */
export function bucketsOf(
  { store, catalogs }: DescribeContext,
  row: ArtistRow,
  buckets: string | readonly string[] | undefined,
): ArtistBuckets {
  const answer: ArtistBuckets = {}
  const asked = new Set(buckets === undefined ? [] : [buckets].flat())
  for (const kind of ['biographies', 'blogs', 'news', 'reviews', 'images', 'video'] as const) {
    if (!asked.has(kind)) continue
    const found = store.documents.newest(row.num, kind, DOCUMENTS).map((text) => JSON.parse(text))
    Object.assign(answer, { [kind]: found })
  }
  if (asked.has('doc_counts')) answer.docCounts = docCountsOf(store, row.num)
  if (asked.has('familiarity') && row.familiarity !== null) answer.familiarity = row.familiarity
  if (asked.has('hotttnesss') && row.hotttnesss !== null) answer.hotttnesss = row.hotttnesss
  if (asked.has('origins')) answer.origins = originsOf(row)
  if (asked.has('songs')) answer.songs = store.songsOf(row.num).slice(0, DOCUMENTS)
  if (asked.has('terms')) {
    answer.terms = store.terms
      .ofArtist(row.num)
      .map(({ name, weight, frequency }) => ({ name, weight, frequency }))
  }
  if (asked.has('urls')) answer.urls = JSON.parse(row.urls) as Record<string, string>
  if (asked.has('years_active')) {
    answer.yearsActive = store
      .years(row.num)
      .map(({ start, end }) => (end === null ? { start } : { start, end }))
  }
  if (asked.has('artist_location')) answer.artistLocation = locationOf(row)
  const spaces = [...asked].filter((one) => one.startsWith('id:')).map((one) => one.slice(3))
  if (spaces.length > 0) {
    answer.foreignIds = spaces.flatMap((catalog) =>
      [...store.ids.ofArtist(row.num, catalog), ...catalogs.itemIdsOfArtist(catalog, row.num)].map(
        (id) => ({ catalog, foreignId: formatForeignId({ catalog, type: 'artist', id }) }),
      ),
    )
  }
  return answer
}

function originsOf(row: ArtistRow): NonNullable<ArtistBuckets['origins']> {
  const origins: NonNullable<ArtistBuckets['origins']> = {}
  const of = (heard: 0 | 1) => (heard === 1 ? 'listening' : 'import')
  if (row.familiarity !== null) origins.familiarity = of(row.familiarityHeard)
  if (row.hotttnesss !== null) origins.hotttnesss = of(row.hotttnesssHeard)
  return origins
}

function docCountsOf(store: ArtistStore, num: number): NonNullable<ArtistBuckets['docCounts']> {
  const none = { audio: 0, biographies: 0, blogs: 0, images: 0, news: 0, reviews: 0, video: 0 }
  const counts = store.documents.counts(num).map(({ kind, count }) => [kind, count])
  return { ...none, ...Object.fromEntries(counts), songs: store.songsOf(num).length }
}

function locationOf(row: ArtistRow): NonNullable<ArtistBuckets['artistLocation']> {
  const { latitude, longitude, location, city, region, country } = row
  const all = { latitude, longitude, location, city, region, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

export const ARTIST_BUCKETS = [
  'biographies',
  'blogs',
  'doc_counts',
  'familiarity',
  'hotttnesss',
  'images',
  'news',
  'origins',
  'reviews',
  'songs',
  'terms',
  'urls',
  'video',
  'years_active',
  'artist_location',
] as const

/** A part of an artist's answer that must be requested. */
export type ArtistBucket = (typeof ARTIST_BUCKETS)[number] | `id:${string}`

/** The `bucket` parameter of the artist methods. */
export const artistBucket = bucketParameter(ARTIST_BUCKETS, '"id:<ID SPACE>"')

import { bucketParameter } from '../options/parameter-types.ts'
import { formatForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import type { CheckedArtist, DOCUMENT_KINDS } from './record.ts'
import type { ArtistRoom } from './room.ts'
import type { ArtistRow, ArtistStore } from './store.ts'

const MAX_DOCUMENTS = 15

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

type ArtistContext = Pick<ArtistRoom, 'store' | 'catalogs'>

export function describeArtist(
  context: ArtistContext,
  row: ArtistRow,
  buckets: string | readonly string[] | undefined,
): ArtistAnswer {
  return { id: row.id, name: row.name, ...bucketsOf(context, row, buckets) }
}

export function bucketsOf(
  context: ArtistContext,
  row: ArtistRow,
  buckets: string | readonly string[] | undefined,
): ArtistBuckets {
  const askedBuckets = new Set(buckets === undefined ? [] : [buckets].flat())
  const parts = ARTIST_BUCKETS.filter((name) => askedBuckets.has(name)).map((name) => {
    return BUCKET_PARTS[name](context, row)
  })
  const spaces = [...askedBuckets]
    .filter((bucket) => bucket.startsWith('id:'))
    .map((one) => one.slice(3))
  const foreignIds = spaces.flatMap((catalog) => {
    const storedIds = context.store.ids.ofArtist(row.num, catalog)
    const items = context.catalogs.itemIdsOfArtist(catalog, row.num)
    return [...storedIds, ...items].map((id) => {
      return { catalog, foreignId: formatForeignId({ catalog, type: 'artist', id }) }
    })
  })
  return known({ ...Object.assign({}, ...parts), ...(spaces.length > 0 && { foreignIds }) })
}

/** `null` where nothing is known. */
type BucketPart = (
  context: ArtistContext,
  row: ArtistRow,
) => { [K in keyof ArtistBuckets]: ArtistBuckets[K] | null }

const documentsOf = (kind: (typeof DOCUMENT_KINDS)[number]): BucketPart => {
  return ({ store }, { num }) => {
    const newestDocuments = store.documents
      .newest(num, kind, MAX_DOCUMENTS)
      .map((text) => JSON.parse(text))
    return { [kind]: newestDocuments }
  }
}

const BUCKET_PARTS = {
  biographies: documentsOf('biographies'),
  blogs: documentsOf('blogs'),
  doc_counts: ({ store }, { num }) => ({ docCounts: docCountsOf(store, num) }),
  familiarity: (_, { familiarity }) => ({ familiarity }),
  hotttnesss: (_, { hotttnesss }) => ({ hotttnesss }),
  images: documentsOf('images'),
  news: documentsOf('news'),
  origins: (_, row) => ({ origins: popularityOrigins(row) }),
  reviews: documentsOf('reviews'),
  songs: ({ store }, { num }) => ({ songs: store.songsOf(num).slice(0, MAX_DOCUMENTS) }),
  terms: ({ store }, { num }) => ({
    terms: store.terms.ofArtist(num).map(({ kinds: _, ...term }) => term),
  }),
  urls: (_, { urls }) => ({ urls: JSON.parse(urls) as Record<string, string> }),
  video: documentsOf('video'),
  years_active: ({ store }, { num }) => ({ yearsActive: store.years(num).map(known) }),
  artist_location: (_, { latitude, longitude, location, city, region, country }) => ({
    artistLocation: known({ latitude, longitude, location, city, region, country }),
  }),
} satisfies Record<string, BucketPart>

export const ARTIST_BUCKETS = Object.keys(BUCKET_PARTS) as (keyof typeof BUCKET_PARTS)[]

/** Only the known ones. */
export function popularityOrigins(row: ArtistRow): NonNullable<ArtistBuckets['origins']> {
  const originOf = (heard: 0 | 1) => (heard === 1 ? 'listening' : 'import')
  return known({
    familiarity: row.familiarity === null ? null : originOf(row.familiarityHeard),
    hotttnesss: row.hotttnesss === null ? null : originOf(row.hotttnesssHeard),
  })
}

function docCountsOf(store: ArtistStore, num: number): NonNullable<ArtistBuckets['docCounts']> {
  const zeroCounts = {
    audio: 0,
    biographies: 0,
    blogs: 0,
    images: 0,
    news: 0,
    reviews: 0,
    video: 0,
  }
  const counts = store.documents.counts(num).map(({ kind, count }) => [kind, count])
  return { ...zeroCounts, ...Object.fromEntries(counts), songs: store.songsOf(num).length }
}

/** A part of an artist's answer that must be requested. */
export type ArtistBucket = keyof typeof BUCKET_PARTS | `id:${string}`

export const artistBucket = bucketParameter(ARTIST_BUCKETS, '"id:<ID SPACE>"')

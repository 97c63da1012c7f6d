import { z } from 'zod'
import { name, share, text, year } from '../options/parameter-types.ts'

const locationSchema = z.strictObject({
  /** Degrees. */
  latitude: z.number().min(-90).max(90).optional(),
  /** Degrees. */
  longitude: z.number().min(-180).max(180).optional(),
  /** In words: `Memphis, TN`. */
  location: name.optional(),
  /** The town. */
  city: name.optional(),
  /** The state or region. */
  region: name.optional(),
  /** The country. */
  country: name.optional(),
})

/** Facts about an artist, in artist records and in song records. */
export const artistFacts = {
  /** How popular the artist is now, 0…1. */
  hotttnesss: share.optional(),
  /** How well known the artist is, 0…1. */
  familiarity: share.optional(),
  /** The artist's location. */
  location: locationSchema.optional(),
}

/** Ids in other spaces, as `<id>` or as `<space>:<type>:<id>`. */
export const foreignIdsSchema = z.array(
  z.strictObject({
    /** The id space. */
    catalog: text,
    /** The id in that space. */
    foreignId: text,
  }),
)

/** Words that describe artists. */
export const termsSchema = z.array(
  z.strictObject({
    /** The word or words. */
    name,
    /** How well it describes the artist, 0…1. */
    weight: share.optional(),
    /** How often it is used for the artist, 0…1. */
    frequency: share.optional(),
    /** Whether it is about the style, the mood or something else. */
    kind: z.enum(['style', 'mood', 'description']).optional(),
  }),
)

const licenseSchema = z.record(z.string(), z.string())
// The order of the fields is part of ids: a document without id and URL has the digest of its JSON.
const sourceFields = {
  /** Its id at its source. */
  id: text.optional(),
}
const addressFields = {
  /** The address. */
  url: text.optional(),
}
const dateFields = {
  /** When it was published, as `2011-07-14` or with a time. */
  datePosted: text.optional(),
  /** When it was found. */
  dateFound: text.optional(),
}
const articleFields = {
  ...sourceFields,
  /** The headline. */
  name: text,
  ...addressFields,
  /** A short version. */
  summary: z.string().optional(),
}

/** The fields of a record that hold documents. */
export const DOCUMENT_KINDS = [
  'biographies',
  'blogs',
  'news',
  'reviews',
  'images',
  'video',
] as const

/** An artist of a reference collection. All but `name` can be left out. */
export const artistRecordSchema = z.strictObject({
  /** A native id, or any other, which becomes a foreign id. */
  id: text.optional(),
  /** The proper name. */
  name,
  /** Other names by which the artist is found. */
  aliases: z.array(name).optional(),
  ...artistFacts,
  /** Periods of activity; one without `end` has not ended. */
  yearsActive: z
    .array(
      z
        .strictObject({
          /** The first year. */
          start: year,
          /** The last year. */
          end: year.optional(),
        })
        .refine(({ start, end }) => end === undefined || end >= start, {
          error: 'ends before it starts',
        }),
    )
    .optional(),
  /** Words that describe the artist. */
  terms: termsSchema.optional(),
  /** The artist's ids in other id spaces. */
  foreignIds: foreignIdsSchema.optional(),
  /** Texts about the artist's life. */
  biographies: z
    .array(
      z.strictObject({
        /** The text itself. */
        text,
        /** The name of the site that published it. */
        site: name.optional(),
        /** The address. */
        url: text.optional(),
        /** The license, by `type`, `attribution` and the like. */
        license: licenseSchema.optional(),
        /** Whether the text is only the beginning. */
        truncated: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Articles in blogs. */
  blogs: z.array(z.strictObject({ ...articleFields, ...dateFields })).optional(),
  /** News articles. */
  news: z.array(z.strictObject({ ...articleFields, ...dateFields })).optional(),
  /** Reviews. */
  reviews: z
    .array(
      z.strictObject({
        ...articleFields,
        /** The address of a picture. */
        imageUrl: text.optional(),
        /** The album that it reviews. */
        release: name.optional(),
        ...dateFields,
      }),
    )
    .optional(),
  /** Pictures of the artist. */
  images: z
    .array(
      z.strictObject({
        ...sourceFields,
        /** The address. */
        url: text,
        /** The license, by `type`, `attribution` and the like. */
        license: licenseSchema.optional(),
      }),
    )
    .optional(),
  /** Videos of the artist. */
  video: z
    .array(
      z.strictObject({
        ...sourceFields,
        /** The title. */
        title: text,
        ...addressFields,
        /** The name of the site. */
        site: name.optional(),
        /** The address of a still image. */
        imageUrl: text.optional(),
        ...dateFields,
      }),
    )
    .optional(),
  /** Addresses by kind: `officialUrl`, `lastfmUrl`, `mbUrl` and the like. */
  urls: z.record(z.string(), text).optional(),
})

/** An artist of a reference collection, as `artists.import` takes it. */
export type ArtistRecord = z.input<typeof artistRecordSchema>
/** An {@link ArtistRecord} that was checked. */
export type CheckedArtist = z.output<typeof artistRecordSchema>

import { z } from 'zod'
import { name, share, text, year } from '../parameter-types.ts'

const location = z.strictObject({
  /** Degrees. */
  latitude: z.number().min(-90).max(90).optional(),
  /** Degrees. */
  longitude: z.number().min(-180).max(180).optional(),
  /** As one says it: `Memphis, TN`. */
  location: name.optional(),
  /** The town. */
  city: name.optional(),
  /** The state or region. */
  region: name.optional(),
  /** The country. */
  country: name.optional(),
})

/** What can be said of an artist, in artist records and in song records alike. */
export const facts = {
  /** How much is made of them now, 0…1. */
  hotttnesss: share.optional(),
  /** How well known they are, 0…1. */
  familiarity: share.optional(),
  /** Where they come from. */
  location: location.optional(),
}

/** Ids in other spaces, each alone or as `<space>:<type>:<id>`. */
export const foreignIds = z.array(
  z.strictObject({
    /** The id space. */
    catalog: text,
    /** The id in that space. */
    foreignId: text,
  }),
)

/** Words by which artists are described. */
export const terms = z.array(
  z.strictObject({
    /** The word or words. */
    name,
    /** How well it describes, 0..1. */
    weight: share.optional(),
    /** How often it is said, 0..1. */
    frequency: share.optional(),
    /** What it says: how the music is played, how it feels, or what else. */
    kind: z.enum(['style', 'mood', 'description']).optional(),
  }),
)

const license = z.record(z.string(), z.string())
const dates = {
  /** When it came out, as `2011-07-14` or with a time. */
  datePosted: text.optional(),
  /** When it was found. */
  dateFound: text.optional(),
}
const id = text.optional()

/** An artist of a reference collection. All but `name` can be left out. */
export const artistRecord = z.strictObject({
  /** An id of the service's form, or any other, which is kept as a foreign id. */
  id,
  /** As they call themselves. */
  name,
  /** Other names, by which they are found too. */
  aliases: z.array(name).optional(),
  ...facts,
  /** From year to year; without an `end` they go on. */
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
  /** Words by which they are described. */
  terms: terms.optional(),
  /** Their ids in other id spaces. */
  foreignIds: foreignIds.optional(),
  /** Texts about their lives. */
  biographies: z
    .array(
      z.strictObject({
        /** The text itself. */
        text,
        /** Who wrote it: a site's name. */
        site: name.optional(),
        /** Where it is. */
        url: text.optional(),
        /** On what terms, by `type`, `attribution` and the like. */
        license: license.optional(),
        /** Whether it is only the beginning. */
        truncated: z.boolean().optional(),
      }),
    )
    .optional(),
  /** What blogs wrote. */
  blogs: z
    .array(
      z.strictObject({
        /** Its own id there. */
        id,
        /** Its headline. */
        name: text,
        /** Where it is. */
        url: text.optional(),
        /** What it says in short. */
        summary: z.string().optional(),
        ...dates,
      }),
    )
    .optional(),
  /** What the news wrote. */
  news: z
    .array(
      z.strictObject({
        /** Its own id there. */
        id,
        /** Its headline. */
        name: text,
        /** Where it is. */
        url: text.optional(),
        /** What it says in short. */
        summary: z.string().optional(),
        ...dates,
      }),
    )
    .optional(),
  /** What critics wrote. */
  reviews: z
    .array(
      z.strictObject({
        /** Its own id there. */
        id,
        /** Its headline. */
        name: text,
        /** Where it is. */
        url: text.optional(),
        /** What it says in short. */
        summary: z.string().optional(),
        /** A picture beside it. */
        imageUrl: text.optional(),
        /** The album that it is of. */
        release: name.optional(),
        ...dates,
      }),
    )
    .optional(),
  /** Pictures of them. */
  images: z
    .array(
      z.strictObject({
        /** Its own id there. */
        id,
        /** Where it is. */
        url: text,
        /** On what terms, by `type`, `attribution` and the like. */
        license: license.optional(),
      }),
    )
    .optional(),
  /** Videos of them. */
  video: z
    .array(
      z.strictObject({
        /** Its own id there. */
        id,
        /** What it is called. */
        title: text,
        /** Where it is. */
        url: text.optional(),
        /** Whose it is: a site's name. */
        site: name.optional(),
        /** A still of it. */
        imageUrl: text.optional(),
        ...dates,
      }),
    )
    .optional(),
  /** Addresses by what is there: `officialUrl`, `lastfmUrl`, `mbUrl` and the like. */
  urls: z.record(z.string(), text).optional(),
})

/** An artist of a reference collection, as `artists.import` takes it. */
export type ArtistRecord = z.input<typeof artistRecord>
/** An {@link ArtistRecord} that was checked. */
export type CheckedArtist = z.output<typeof artistRecord>

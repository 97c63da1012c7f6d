import { z } from 'zod'

/** Text that says something. */
export const name = z.string().trim().min(1)

/** A share or probability, 0..1. More is taken for 1; less means "not known". */
export const share = z.number().transform((value) => (value < 0 ? undefined : Math.min(value, 1)))

const location = z.strictObject({
  /** Degrees. */
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
  /** As one says it: `Memphis, TN`. */
  location: name.optional(),
  city: name.optional(),
  region: name.optional(),
  country: name.optional(),
})

/** What can be said of an artist, in artist records and in song records alike. */
export const facts = {
  hotttnesss: share.optional(),
  familiarity: share.optional(),
  location: location.optional(),
}

/** Ids in other spaces, each alone or as `<space>:<type>:<id>`. */
export const foreignIds = z.array(z.strictObject({ catalog: name, foreignId: name }))

/** Words by which artists are described. */
export const terms = z.array(
  z.strictObject({
    name,
    /** How well it describes, 0..1. */
    weight: share.optional(),
    /** How often it is said, 0..1. */
    frequency: share.optional(),
    kind: z.enum(['style', 'mood', 'description']).optional(),
  }),
)

const year = z.int().min(1).max(9998)
const license = z.record(z.string(), z.string())
const dates = { datePosted: name.optional(), dateFound: name.optional() }
const id = name.optional()

/** An artist of a reference collection. All but `name` can be left out. */
export const artistRecord = z.strictObject({
  /** An id of the service's form, or any other, which is kept as a foreign id. */
  id,
  name,
  aliases: z.array(name).optional(),
  ...facts,
  yearsActive: z
    .array(
      z
        .strictObject({ start: year, end: year.optional() })
        .refine(({ start, end }) => end === undefined || end >= start, {
          error: 'ends before it starts',
        }),
    )
    .optional(),
  terms: terms.optional(),
  foreignIds: foreignIds.optional(),
  biographies: z
    .array(
      z.strictObject({
        text: name,
        site: name.optional(),
        url: name.optional(),
        license: license.optional(),
        truncated: z.boolean().optional(),
      }),
    )
    .optional(),
  blogs: z
    .array(
      z.strictObject({ id, name, url: name.optional(), summary: z.string().optional(), ...dates }),
    )
    .optional(),
  news: z
    .array(
      z.strictObject({ id, name, url: name.optional(), summary: z.string().optional(), ...dates }),
    )
    .optional(),
  reviews: z
    .array(
      z.strictObject({
        id,
        name,
        url: name.optional(),
        summary: z.string().optional(),
        imageUrl: name.optional(),
        release: name.optional(),
        ...dates,
      }),
    )
    .optional(),
  images: z.array(z.strictObject({ id, url: name, license: license.optional() })).optional(),
  video: z
    .array(
      z.strictObject({
        id,
        title: name,
        url: name.optional(),
        site: name.optional(),
        imageUrl: name.optional(),
        ...dates,
      }),
    )
    .optional(),
  /** Addresses by what is there: `officialUrl`, `lastfmUrl`, `mbUrl` and the like. */
  urls: z.record(z.string(), name).optional(),
})

/** An artist of a reference collection, as `artists.import` takes it. */
export type ArtistRecord = z.input<typeof artistRecord>
/** An {@link ArtistRecord} that was checked. */
export type CheckedArtist = z.output<typeof artistRecord>

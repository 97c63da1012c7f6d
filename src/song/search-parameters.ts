import { z } from 'zod'
import type { ArtistColumn } from '../artist/artist-columns.ts'
import {
  flag,
  name,
  numberBetween,
  oneOrMany,
  text,
  whole,
  withDeclaredType,
} from '../options/parameter-types.ts'
import { type KeyText, type MusicKey, parseKey } from '../values/music-key.ts'
import { songBucketParameter } from './buckets.ts'
import type { SongColumn } from './fact-columns.ts'
import {
  boundName,
  RANGED,
  type RangedFact,
  type Rows,
  SEARCHED,
  searchedRange,
  toSnakeCase,
} from './facts.ts'

const termTexts = oneOrMany(name).optional()

const optionalShare = numberBetween(0, 1).optional()
const optionalLongitude = numberBetween(-180, 180).optional()
const optionalLatitude = numberBetween(-90, 90).optional()
const yearOrPresent = withDeclaredType<number | 'present', number | 'present' | undefined>(
  z
    .union([z.number(), z.string()])
    .transform((input) => {
      if (input === 'present') return input
      const value = typeof input === 'number' || /^\d+$/.test(input) ? Number(input) : Number.NaN
      return Number.isInteger(value) && value >= 0 && value <= 9999 ? value : undefined
    })
    .refine((parsed) => parsed !== undefined, { error: 'must be a year, as 1977, or "present"' }),
).optional()

/** 0 minor, 1 major. */
export const mode = withDeclaredType<number | 'minor' | 'major', number | undefined>(
  z
    .union([z.number(), z.string()])
    .transform((input) => {
      const position = ['minor', 'major'].indexOf(String(input).trim().toLowerCase())
      return position >= 0 ? position : parseIndexBelow(input, 2)
    })
    .refine((parsed) => parsed !== undefined, { error: 'is not one of "minor", "major", or 0-1' }),
).optional()

/** A key in any spelling. */
export const musicKey = withDeclaredType<number | KeyText | MusicKey, MusicKey>(
  z
    .union([
      z.number(),
      z.string(),
      z.strictObject({ key: z.int(), mode: z.literal([0, 1]).optional() }),
    ])
    .transform((input): MusicKey => {
      const { key: tonic, mode } = typeof input === 'object' ? input : { key: input }
      const key = parseIndexBelow(tonic, 12)
      // A value that is no key is rejected below.
      if (key === undefined) return parseKey(String(tonic)) as MusicKey
      return mode === undefined ? { key } : { key, mode }
    })
    .refine((parsed) => parsed !== undefined, {
      error: 'is no key, as "A minor", "Am", "c-sharp", "8A", or 0-11',
    }),
)

/** Refuses a mode beside keys of another mode. */
export function requireOneMode(
  { key = [], mode }: { key?: MusicKey | MusicKey[] | undefined; mode?: number | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (mode === undefined || [key].flat().every((musicKey) => (musicKey.mode ?? mode) === mode))
    return
  const message = 'is not the mode of the key; leave one of them out'
  context.addIssue({ code: 'custom', message, path: ['mode'], input: mode })
}

/** Clients over HTTP send the number as text. */
function parseIndexBelow(input: number | string, end: number): number | undefined {
  const value = String(input).trim()
  return /^\d+$/.test(value) && Number(value) < end ? Number(value) : undefined
}

// Mapped over the keys of the rows, so that the declarations get their documentation.
type BoundParameters = {
  [K in keyof Rows<RangedFact> as
    | `min${Capitalize<K>}`
    | `max${Capitalize<K>}`]: typeof optionalShare
}

const boundParameters = Object.fromEntries(
  RANGED.flatMap((fact) => {
    const value = numberBetween(...searchedRange(fact)).optional()
    return [boundName('min', fact), boundName('max', fact)].map((parameter) => [parameter, value])
  }),
) as BoundParameters

type SortColumn = { of: 'song'; column: SongColumn } | { of: 'artist'; column: ArtistColumn }
/** A column by which songs are sorted, and the direction. */
export type Sort = SortColumn & { direction: 'asc' | 'desc' }

function sortsBy<Field extends string>(field: Field, column: SortColumn) {
  return (['asc', 'desc'] as const).map((direction): [`${Field}-${typeof direction}`, Sort] => [
    `${field}-${direction}`,
    { ...column, direction },
  ])
}

const SONG_SORTS = new Map([
  ...SEARCHED.flatMap((fact) => sortsBy(toSnakeCase(fact), { of: 'song', column: fact })),
  ...sortsBy('song_hotttnesss', { of: 'song', column: 'hotttnesss' }),
  // The specification's spelling of the ascending sort.
  ...sortsBy('song_hotttness', { of: 'song', column: 'hotttnesss' }),
  ...sortsBy('artist_familiarity', { of: 'artist', column: 'familiarity' }),
  ...sortsBy('artist_hotttnesss', { of: 'artist', column: 'hotttnesss' }),
  ...sortsBy('artist_start_year', { of: 'artist', column: 'startYear' }),
  ...sortsBy('artist_end_year', { of: 'artist', column: 'endYear' }),
  ...sortsBy('latitude', { of: 'artist', column: 'latitude' }),
  ...sortsBy('longitude', { of: 'artist', column: 'longitude' }),
])
const sortParameter = z
  .enum([...SONG_SORTS.keys()])
  .transform((value) => SONG_SORTS.get(value))
  .optional()

const BOUND_PAIRS = [
  ...RANGED.map((fact) => [boundName('min', fact), boundName('max', fact)] as const),
  ['artistMinFamiliarity', 'artistMaxFamiliarity'],
  ['songMinHotttnesss', 'songMaxHotttnesss'],
  ['artistMinHotttnesss', 'artistMaxHotttnesss'],
  ['minLongitude', 'maxLongitude'],
  ['minLatitude', 'maxLatitude'],
] as const

export const searchParameters = z
  .strictObject({
    /** Words of the title. */
    title: name.optional(),
    /** Words of the name of the primary artist. */
    artist: name.optional(),
    /** Words of artist and title together. */
    combined: name.optional(),
    /** Terms of any kind: `jazz`, `jazz^2`, `-jazz`, `+jazz` or `^jazz`. */
    description: termTexts,
    /** Terms of style, written as in `description`. */
    style: termTexts,
    /**
     * Terms of mood, written as in `description`. Songs of your own tracks without a named mood
     * have moods derived from energy and valence: `energetic`, `mellow`, `happy`, `peaceful`,
     * `aggressive`, `sad`.
     */
    mood: termTexts,
    /** The order of searches by terms. */
    rankType: z.enum(['relevance', 'familiarity']).optional(),
    /** A native or foreign id. */
    artistId: text.optional(),
    /** How many results to answer at most, 0…100. Default 15. */
    results: whole.max(100).default(15),
    /** How many results to skip. Default 0. */
    start: whole.default(0),
    ...boundParameters,
    /** The lowest familiarity of the artist, 0…1. */
    artistMinFamiliarity: optionalShare,
    /** The highest familiarity of the artist, 0…1. */
    artistMaxFamiliarity: optionalShare,
    /** The first year of the artist is before this year, or `present`. */
    artistStartYearBefore: yearOrPresent,
    /** The first year of the artist is after this year, or `present`. */
    artistStartYearAfter: yearOrPresent,
    /** The last year of the artist is before this year, or `present`. */
    artistEndYearBefore: yearOrPresent,
    /** The last year of the artist is after this year; after `present` for an active one. */
    artistEndYearAfter: yearOrPresent,
    /** The lowest hotttnesss of the song, 0…1. */
    songMinHotttnesss: optionalShare,
    /** The highest hotttnesss of the song, 0…1. */
    songMaxHotttnesss: optionalShare,
    /** The lowest hotttnesss of the artist, 0…1. */
    artistMinHotttnesss: optionalShare,
    /** The highest hotttnesss of the artist, 0…1. */
    artistMaxHotttnesss: optionalShare,
    /** The westernmost place of the artist, degrees, -180…180. */
    minLongitude: optionalLongitude,
    /** The easternmost place of the artist, degrees, -180…180. */
    maxLongitude: optionalLongitude,
    /** The southernmost place of the artist, degrees, -90…90. */
    minLatitude: optionalLatitude,
    /** The northernmost place of the artist, degrees, -90…90. */
    maxLatitude: optionalLatitude,
    /**
     * Pitch class, 0 = C … 11 = B, or its name: `C#`, `Db`, `c-sharp`, also with a mode: `Am`,
     * `A minor`, `8A`, `1m`. What {@link parseKey} reads can be given too.
     */
    key: musicKey.optional(),
    /** `minor` or 0, `major` or 1. */
    mode,
    /** The parts of the answer besides `id`, `title` and artist: `audio_summary`, `id:<id space>` … */
    bucket: songBucketParameter,
    /** `<field>-asc` or `<field>-desc`; without it the best match comes first. */
    sort: sortParameter,
    /** Only songs with an id in one of the id spaces, or in one of the catalogs, of `bucket`. */
    limit: flag.optional(),
  })
  .superRefine((params, context) => {
    for (const [min, max] of BOUND_PAIRS) {
      const [low, high] = [params[min], params[max]]
      if (low === undefined || high === undefined || low <= high) continue
      context.addIssue({ code: 'custom', message: `is above ${max} ${high}`, path: [min] })
    }
    requireOneMode(params, context)
    if (params.description === undefined) return
    for (const name of ['title', 'artist', 'combined', 'artistId'] as const) {
      if (params[name] === undefined) continue
      const message = `cannot be combined with ${name}; use style or mood`
      context.addIssue({ code: 'custom', message, path: ['description'] })
    }
  })

/** What `song/search` takes, checked. */
export type SearchQuery = z.output<typeof searchParameters>

import { z } from 'zod'
import type { ArtistColumn } from '../artist/artist-columns.ts'
import {
  between,
  declared,
  flag,
  name,
  oneOrMany,
  text,
  whole,
} from '../options/parameter-types.ts'
import { type KeyText, type MusicKey, parseKey } from '../values/music-key.ts'
import { bucket } from './buckets.ts'
import type { SongColumn } from './fact-columns.ts'
import {
  bound,
  RANGED,
  type RangedFact,
  type Rows,
  SEARCHED,
  searchedRange,
  snake,
} from './facts.ts'

const texts = oneOrMany(name).optional()

const share = between(0, 1).optional()
const longitude = between(-180, 180).optional()
const latitude = between(-90, 90).optional()
const year = declared<number | 'present', number | 'present' | undefined>(
  z
    .union([z.number(), z.string()])
    .transform((given) => {
      if (given === 'present') return given
      const value = typeof given === 'number' || /^\d+$/.test(given) ? Number(given) : Number.NaN
      return Number.isInteger(value) && value >= 0 && value <= 9999 ? value : undefined
    })
    .refine((found) => found !== undefined, { error: 'must be a year, as 1977, or "present"' }),
).optional()

/** 0 minor, 1 major. */
export const mode = declared<number | 'minor' | 'major', number | undefined>(
  z
    .union([z.number(), z.string()])
    .transform((given) => {
      const found = ['minor', 'major'].indexOf(String(given).trim().toLowerCase())
      return found >= 0 ? found : indexOf(given, 2)
    })
    .refine((found) => found !== undefined, { error: 'is not one of "minor", "major", or 0-1' }),
).optional()

/** A key in any spelling. */
export const musicKey = declared<number | KeyText | MusicKey, MusicKey>(
  z
    .union([
      z.number(),
      z.string(),
      z.strictObject({ key: z.int(), mode: z.literal([0, 1]).optional() }),
    ])
    .transform((given): MusicKey => {
      const { key: tonic, mode } = typeof given === 'object' ? given : { key: given }
      const key = indexOf(tonic, 12)
      // A value that is no key is rejected below.
      if (key === undefined) return parseKey(String(tonic)) as MusicKey
      return mode === undefined ? { key } : { key, mode }
    })
    .refine((found) => found !== undefined, {
      error: 'is no key, as "A minor", "Am", "c-sharp", "8A", or 0-11',
    }),
)

/** Refuses a mode beside keys of another mode. */
export function requireOneMode(
  { key = [], mode }: { key?: MusicKey | MusicKey[] | undefined; mode?: number | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (mode === undefined || [key].flat().every((one) => (one.mode ?? mode) === mode)) return
  const message = 'is not the mode of the key; leave one of them out'
  context.addIssue({ code: 'custom', message, path: ['mode'], input: mode })
}

/** A number below `end`, which clients over HTTP send as text. */
function indexOf(given: number | string, end: number): number | undefined {
  const value = String(given).trim()
  return /^\d+$/.test(value) && Number(value) < end ? Number(value) : undefined
}

// Mapped over the keys of the rows, so that the built declarations get the rows' documentation.
type Bounds = {
  [K in keyof Rows<RangedFact> as `min${Capitalize<K>}` | `max${Capitalize<K>}`]: typeof share
}

/** `minTempo`, `maxTempo` and so on. */
const bounds = Object.fromEntries(
  RANGED.flatMap((fact) => {
    const value = between(...searchedRange(fact)).optional()
    return [bound('min', fact), bound('max', fact)].map((parameter) => [parameter, value])
  }),
) as Bounds

type Column = { of: 'song'; column: SongColumn } | { of: 'artist'; column: ArtistColumn }
/** A column by which songs are sorted, and the direction. */
export type Sort = Column & { direction: 'asc' | 'desc' }

function sortsBy<Field extends string>(field: Field, column: Column) {
  return (['asc', 'desc'] as const).map((direction): [`${Field}-${typeof direction}`, Sort] => [
    `${field}-${direction}`,
    { ...column, direction },
  ])
}

const SORTS = new Map([
  ...SEARCHED.flatMap((fact) => sortsBy(snake(fact), { of: 'song', column: fact })),
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
const sort = z
  .enum([...SORTS.keys()])
  .transform((value) => SORTS.get(value))
  .optional()

const RANGES = [
  ...RANGED.map((fact) => [bound('min', fact), bound('max', fact)] as const),
  ['artistMinFamiliarity', 'artistMaxFamiliarity'],
  ['songMinHotttnesss', 'songMaxHotttnesss'],
  ['artistMinHotttnesss', 'artistMaxHotttnesss'],
  ['minLongitude', 'maxLongitude'],
  ['minLatitude', 'maxLatitude'],
] as const

export const parameters = z
  .strictObject({
    /** Words of the title. */
    title: name.optional(),
    /** Words of the name of the primary artist. */
    artist: name.optional(),
    /** Words of artist and title together. */
    combined: name.optional(),
    /** Terms of any kind: `jazz`, `jazz^2`, `-jazz`, `+jazz` or `^jazz`. */
    description: texts,
    /** Terms of style, written as in `description`. */
    style: texts,
    /**
     * Terms of mood, written as in `description`. Songs of your own tracks without a named mood
     * have moods derived from energy and valence: `energetic`, `mellow`, `happy`, `peaceful`,
     * `aggressive`, `sad`.
     */
    mood: texts,
    /** The order of searches by terms. */
    rankType: z.enum(['relevance', 'familiarity']).optional(),
    /** A native or foreign id. */
    artistId: text.optional(),
    /** How many results to answer at most, 0…100. Default 15. */
    results: whole.max(100).default(15),
    /** How many results to skip. Default 0. */
    start: whole.default(0),
    ...bounds,
    /** The lowest familiarity of the artist, 0…1. */
    artistMinFamiliarity: share,
    /** The highest familiarity of the artist, 0…1. */
    artistMaxFamiliarity: share,
    /** The first year of the artist is before this year, or `present`. */
    artistStartYearBefore: year,
    /** The first year of the artist is after this year, or `present`. */
    artistStartYearAfter: year,
    /** The last year of the artist is before this year, or `present`. */
    artistEndYearBefore: year,
    /** The last year of the artist is after this year; after `present` for an active one. */
    artistEndYearAfter: year,
    /** The lowest hotttnesss of the song, 0…1. */
    songMinHotttnesss: share,
    /** The highest hotttnesss of the song, 0…1. */
    songMaxHotttnesss: share,
    /** The lowest hotttnesss of the artist, 0…1. */
    artistMinHotttnesss: share,
    /** The highest hotttnesss of the artist, 0…1. */
    artistMaxHotttnesss: share,
    /** The westernmost place of the artist, degrees, -180…180. */
    minLongitude: longitude,
    /** The easternmost place of the artist, degrees, -180…180. */
    maxLongitude: longitude,
    /** The southernmost place of the artist, degrees, -90…90. */
    minLatitude: latitude,
    /** The northernmost place of the artist, degrees, -90…90. */
    maxLatitude: latitude,
    /**
     * Pitch class, 0 = C … 11 = B, or its name: `C#`, `Db`, `c-sharp`, also with a mode: `Am`,
     * `A minor`, `8A`, `1m`. What {@link parseKey} reads can be given too.
     */
    key: musicKey.optional(),
    /** `minor` or 0, `major` or 1. */
    mode,
    /** The parts of the answer besides `id`, `title` and artist: `audio_summary`, `id:<id space>` … */
    bucket,
    /** `<field>-asc` or `<field>-desc`; without it the best match comes first. */
    sort,
    /** Only songs with an id in one of the id spaces, or in one of the catalogs, of `bucket`. */
    limit: flag.optional(),
  })
  .superRefine((given, context) => {
    for (const [min, max] of RANGES) {
      const [low, high] = [given[min], given[max]]
      if (low === undefined || high === undefined || low <= high) continue
      context.addIssue({ code: 'custom', message: `is above ${max} ${high}`, path: [min] })
    }
    requireOneMode(given, context)
    if (given.description === undefined) return
    for (const name of ['title', 'artist', 'combined', 'artistId'] as const) {
      if (given[name] === undefined) continue
      const message = `cannot be combined with ${name}; use style or mood`
      context.addIssue({ code: 'custom', message, path: ['description'] })
    }
  })

/** What `song/search` takes, checked. */
export type SearchQuery = z.output<typeof parameters>

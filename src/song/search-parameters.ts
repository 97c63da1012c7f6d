import { z } from 'zod'
import { between, flag, name, oneOrMany } from '../parameter-types.ts'
import { bucket } from './buckets.ts'

const texts = oneOrMany(name).optional()

const tempo = between(0, 500).optional()
const duration = between(0, 3600).optional()
const loudness = between(-100, 100).optional()
const share = between(0, 1).optional()
const longitude = between(-180, 180).optional()
const latitude = between(-90, 90).optional()
const year = z
  .union([z.number(), z.string()])
  .transform((given) => {
    if (given === 'present') return given
    const value = typeof given === 'number' || /^\d+$/.test(given) ? Number(given) : Number.NaN
    return Number.isInteger(value) && value >= 0 && value <= 9999 ? value : undefined
  })
  .refine((found) => found !== undefined, { error: 'must be a year, as 1977, or "present"' })
  .optional()

const KEYS = [
  'c',
  'c-sharp',
  'd',
  'e-flat',
  'e',
  'f',
  'f-sharp',
  'g',
  'a-flat',
  'a',
  'b-flat',
  'b',
] as const
const MODES = ['minor', 'major'] as const

/** A name out of a list, or its place there. */
function nameOrNumber(names: readonly string[]) {
  return z
    .union([z.number(), z.string()])
    .transform((given) => {
      const value = String(given).trim().toLowerCase()
      const named = names.indexOf(value)
      if (named >= 0) return named
      return /^\d+$/.test(value) && Number(value) < names.length ? Number(value) : undefined
    })
    .refine((found) => found !== undefined, {
      error: `is not one of ${names.map((one) => `"${one}"`).join(', ')}, or 0-${names.length - 1}`,
    })
    .optional()
}

const SORTED = [
  'tempo',
  'duration',
  'loudness',
  'artist_familiarity',
  'artist_hotttnesss',
  'artist_start_year',
  'artist_end_year',
  'song_hotttnesss',
  'latitude',
  'longitude',
  'mode',
  'key',
  'energy',
  'danceability',
] as const

/** What songs can be sorted by. */
export type SortField = (typeof SORTED)[number]

const sorts = SORTED.flatMap((field) => [`${field}-asc`, `${field}-desc`] as const)
// The specification writes the ascending one with two t's before the last s.
const sort = z
  .enum([...sorts, 'song_hotttness-asc', 'song_hotttness-desc'])
  .transform((value) => {
    const [field, direction] = value.split('-') as [string, 'asc' | 'desc']
    const by = field === 'song_hotttness' ? 'song_hotttnesss' : field
    return { by: by as SortField, direction }
  })
  .optional()

const RANGES = [
  ['minTempo', 'maxTempo'],
  ['minDuration', 'maxDuration'],
  ['minLoudness', 'maxLoudness'],
  ['artistMinFamiliarity', 'artistMaxFamiliarity'],
  ['songMinHotttnesss', 'songMaxHotttnesss'],
  ['artistMinHotttnesss', 'artistMaxHotttnesss'],
  ['minLongitude', 'maxLongitude'],
  ['minLatitude', 'maxLatitude'],
  ['minDanceability', 'maxDanceability'],
  ['minEnergy', 'maxEnergy'],
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
    style: texts,
    mood: texts,
    /** How searches by terms are ordered. */
    rankType: z.enum(['relevance', 'familiarity']).optional(),
    /** An id of the service, or a foreign one. */
    artistId: z.string().trim().min(1).optional(),
    results: z.int().min(0).max(100).optional(),
    start: z.int().min(0).optional(),
    /** Beats per minute. */
    minTempo: tempo,
    maxTempo: tempo,
    /** Seconds. */
    minDuration: duration,
    maxDuration: duration,
    /** dB. */
    minLoudness: loudness,
    maxLoudness: loudness,
    artistMinFamiliarity: share,
    artistMaxFamiliarity: share,
    /** By the artist's first year, or `present`. */
    artistStartYearBefore: year,
    artistStartYearAfter: year,
    /** By the artist's last year; one who is still active ends after `present`. */
    artistEndYearBefore: year,
    artistEndYearAfter: year,
    songMinHotttnesss: share,
    songMaxHotttnesss: share,
    artistMinHotttnesss: share,
    artistMaxHotttnesss: share,
    /** Degrees; of the primary artist. */
    minLongitude: longitude,
    maxLongitude: longitude,
    minLatitude: latitude,
    maxLatitude: latitude,
    minDanceability: share,
    maxDanceability: share,
    minEnergy: share,
    maxEnergy: share,
    /** `minor`, `major`, or 0, 1. */
    mode: nameOrNumber(MODES),
    /** `c`, `c-sharp` … `b`, or 0-11. */
    key: nameOrNumber(KEYS),
    bucket,
    sort,
    /** Only songs that are known in one of the id spaces or catalogs of `bucket`. */
    limit: flag.optional(),
  })
  .superRefine((given, context) => {
    for (const [min, max] of RANGES) {
      const [low, high] = [given[min], given[max]]
      if (low === undefined || high === undefined || low <= high) continue
      context.addIssue({ code: 'custom', message: `is above ${max} ${high}`, path: [min] })
    }
    if (given.description === undefined) return
    for (const name of ['title', 'artist', 'combined', 'artistId'] as const) {
      if (given[name] === undefined) continue
      const message = `cannot be combined with ${name}; use style or mood`
      context.addIssue({ code: 'custom', message, path: ['description'] })
    }
  })

/** What `song/search` takes, checked. */
export type SearchQuery = z.output<typeof parameters>

import { z } from 'zod'
import { name, oneOrMany, pageParameters, withDeclaredType } from '../options/parameter-types.ts'
import { eachFact, RANGED, type RangedFact, type Rows, SUMMARY_FACTS } from '../song/facts.ts'
import { mode, musicKey, requireOneMode } from '../song/search-parameters.ts'
import { type MusicKey, parseKey } from '../values/music-key.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { STATUSES, summary } from './track-answer.ts'
import { TRACK_SORTS } from './track-sorts.ts'

function range(low: number, high: number) {
  const bound = z.number().min(low).max(high)
  return z
    .tuple([bound, bound])
    .refine(([from, to]) => from <= to, { error: 'must have the lower value first' })
}

type Ranges = {
  [K in keyof Rows<Exclude<RangedFact, 'tempo'>>]: z.ZodOptional<ReturnType<typeof range>>
}

/** `energy: [0.5, 1]` and so on. */
const ranges: Ranges = eachFact(RANGED, (fact: RangedFact) => {
  // The old service's bounds of a search, an hour of duration say, hold for songs alone.
  const [low, high] = SUMMARY_FACTS[fact].range
  return range(low, high).optional()
})

/** The tolerance for a single given tempo, in BPM: tempi that round to it match. */
const ROUNDED = 0.5

function tempiOf(given: number | string | number[]): [low: number, high: number] | undefined {
  const bounds =
    typeof given === 'object'
      ? given
      : String(given)
          .split(/[-–]/)
          .map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  const [low = Number.NaN, high = typeof given === 'object' ? Number.NaN : low] = bounds
  if (bounds.length > 2 || !(low >= 0 && low <= high && high <= 500)) return undefined
  return bounds.length === 1 ? [low - ROUNDED, low + ROUNDED] : [low, high]
}

const tempo = withDeclaredType<number | string | readonly [number, number], [number, number]>(
  z
    .union([z.number(), z.string(), z.array(z.number())])
    .transform((given) => tempiOf(given) as [number, number])
    .refine((found) => found !== undefined, {
      error: 'is no tempo from 0 to 500, as 120, "120-130" or [120, 130], the lower value first',
    }),
)

/** What `mixesWith` takes, for messages. */
export const MIXING =
  'is neither a track or its id, nor a key such as "8A" or "Am"; tracks.get({ file }) finds the track of a file'

/** A key, or the id of a track: any text that is no key. */
const mixesWith = withDeclaredType<string | MusicKey, string | MusicKey>(
  z
    .unknown()
    .transform((given) => {
      if (typeof given === 'string') return parseKey(given) ?? given
      return (typeof given === 'object' ? musicKey.safeParse(given).data : undefined) as MusicKey
    })
    .refine((found) => found !== undefined && found !== '', { error: MIXING }),
)

const years = z.int().min(1).max(9999)

const status = z.enum(STATUSES)

/** The parameters that choose tracks by what every track has, and their order. */
export const selection = {
  /** Only recordings of this song, by its id or a foreign id. */
  songId: z.string().min(1).optional(),
  /** Only tracks in this state, or in one of these. */
  status: z.union([status, z.array(status)]).optional(),
  /** True: only tracks without audio: no file is present, no copy is kept. False: only others. */
  missing: z.boolean().optional(),
  /**
   * The order. Default: `created-asc`, the order of adding; with `text`, the best match first.
   * `album-asc` sorts by album, then by disc and track number. Unknown values come last.
   */
  sort: z.enum(TRACK_SORTS).optional(),
}

export const pageOfTracks = {
  ...pageParameters(15),
  ...summary,
}

const wanted = {
  /**
   * Text of a search box: words of title, artist, album artist and release in any order; the last
   * one may be incomplete. Typing errors and additions (`feat. X`, `(Remastered 2011)`) are
   * tolerated if nothing matches better. Without words, all tracks match.
   */
  text: z
    .string()
    .transform((given) => given.slice(0, LONGEST_NAME).trim() || undefined)
    .optional(),
  /** Words of the artist or of the album artist. */
  artist: name.optional(),
  /** Words of the release. */
  release: name.optional(),
  /** A genre of the tags. Case and punctuation do not matter. */
  genre: name.optional(),
  ...ranges,
  /**
   * Beats per minute, from the lowest to the highest: `[120, 130]` or `'120-130'`. A single tempo
   * matches what rounds to it: `120` is 119.5 to 120.5.
   */
  tempo: tempo.optional(),
  /**
   * Pitch class, 0 = C … 11 = B, or its name: `C#`, `Db`, `c-sharp`, also with a mode: `Am`,
   * `A minor`, `8A`, `1m`; or a list of these, one of which must match. All that {@link parseKey}
   * reads is accepted. A track in which no key was heard has none.
   */
  key: oneOrMany(musicKey).optional(),
  /**
   * Only tracks that mix well with this track or key. A track is given by its id: then the others
   * are in one of its {@link compatibleKeys}, with a tempo within 6 % of its own, or of double or
   * half that. The track itself is left out. Nothing mixes with a track that has no tempo or no key.
   * A key is given as for `key`, but not as a number: then only the keys must be compatible.
   */
  mixesWith: mixesWith.optional(),
  /** `minor` or 0, `major` or 1. */
  mode,
  /** The year of the release, or the first and the last year. */
  year: z
    .union([years.transform((one): [number, number] => [one, one]), range(1, 9999)])
    .optional(),
  /** The `id` of an album, as `tracks.albums` answers it. */
  album: z.int().min(1).optional(),
  ...selection,
}

export const parameters = z.strictObject({ ...wanted, ...pageOfTracks }).superRefine(requireOneMode)

export const unpagedParameters = z.strictObject(wanted).superRefine(requireOneMode)

/** The conditions of a search, without an order. */
export const conditions = z.strictObject(wanted).omit({ sort: true }).superRefine(requireOneMode)

export type TrackSearch = z.output<typeof unpagedParameters>
export type Page = Pick<z.output<typeof parameters>, 'start' | 'results'>

import { z } from 'zod'
import { name, oneOrMany, pageParameters, withDeclaredType } from '../options/parameter-types.ts'
import { eachFact, RANGED, type RangedFact, type Rows, SUMMARY_FACTS } from '../song/facts.ts'
import { mode, musicKey, requireOneMode } from '../song/search-parameters.ts'
import { type MusicKey, parseKey } from '../values/music-key.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { summary, TRACK_STATUSES } from './track-answer.ts'
import { TRACK_SORTS } from './track-sorts.ts'

function orderedRange(low: number, high: number) {
  const bound = z.number().min(low).max(high)
  return z
    .tuple([bound, bound])
    .refine(([from, to]) => from <= to, { error: 'must have the lower value first' })
}

type Ranges = {
  [K in keyof Rows<Exclude<RangedFact, 'tempo'>>]: z.ZodOptional<ReturnType<typeof orderedRange>>
}

/** `energy: [0.5, 1]` and so on. */
const ranges: Ranges = eachFact(RANGED, (fact: RangedFact) => {
  // The old service's bounds hold for songs alone.
  const [low, high] = SUMMARY_FACTS[fact].range
  return orderedRange(low, high).optional()
})

/** BPM: tempi that round to a single given one match. */
const TEMPO_ROUNDING = 0.5

function parseTempo(
  tempoText: number | string | number[],
): [low: number, high: number] | undefined {
  const bounds =
    typeof tempoText === 'object'
      ? tempoText
      : String(tempoText)
          .split(/[-–]/)
          .map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  const [low = Number.NaN, high = typeof tempoText === 'object' ? Number.NaN : low] = bounds
  if (bounds.length > 2 || !(low >= 0 && low <= high && high <= 500)) return undefined
  return bounds.length === 1 ? [low - TEMPO_ROUNDING, low + TEMPO_ROUNDING] : [low, high]
}

const tempo = withDeclaredType<number | string | readonly [number, number], [number, number]>(
  z
    .union([z.number(), z.string(), z.array(z.number())])
    .transform((givenTempo) => parseTempo(givenTempo) as [number, number])
    .refine((tempoRange) => tempoRange !== undefined, {
      error: 'is no tempo from 0 to 500, as 120, "120-130" or [120, 130], the lower value first',
    }),
)

export const MIXES_WITH_ERROR =
  'is neither a track or its id, nor a key such as "8A" or "Am"; tracks.get({ file }) finds the track of a file'

/** A key, or the id of a track: any text that is no key. */
const mixesWith = withDeclaredType<string | MusicKey, string | MusicKey>(
  z
    .unknown()
    .transform((givenKey) => {
      if (typeof givenKey === 'string') return parseKey(givenKey) ?? givenKey
      return (
        typeof givenKey === 'object' ? musicKey.safeParse(givenKey).data : undefined
      ) as MusicKey
    })
    .refine((key) => key !== undefined && key !== '', { error: MIXES_WITH_ERROR }),
)

const years = z.int().min(1).max(9999)

const status = z.enum(TRACK_STATUSES)

/** The parameters that choose tracks by what every track has, and their order. */
export const selection = {
  /** Only recordings of this song, by its id or a foreign id. */
  songId: z.string().min(1).optional(),
  /** Only tracks in this state, or in one of these. */
  status: z.union([status, z.array(status)]).optional(),
  /** True: only tracks without audio: no file is present, no copy is kept. False: only others. */
  missing: z.boolean().optional(),
  /**
   * The order. Default: `created-asc`, with `text` the best match first. `album-asc` sorts by
   * album, disc and track number. Unknown values come last.
   */
  sort: z.enum(TRACK_SORTS).optional(),
}

export const pageOfTracks = {
  ...pageParameters(15),
  ...summary,
}

const searchConditions = {
  /**
   * Words of title, artist, album artist and release in any order; the last one may be incomplete.
   * Typing errors are tolerated if nothing matches better.
   */
  text: z
    .string()
    .transform((givenText) => givenText.slice(0, LONGEST_NAME).trim() || undefined)
    .optional(),
  /** Words of the artist or of the album artist. */
  artist: name.optional(),
  /** Words of the release. */
  release: name.optional(),
  /** A genre of the tags. Case and punctuation do not matter. */
  genre: name.optional(),
  ...ranges,
  /**
   * Beats per minute: `[120, 130]` or `'120-130'`. A single tempo matches what rounds to it: `120`
   * is 119.5 to 120.5.
   */
  tempo: tempo.optional(),
  /**
   * Pitch class, 0 = C … 11 = B, or what {@link parseKey} reads: `C#`, `Am`, `8A`; or a list of
   * these, one of which must match.
   */
  key: oneOrMany(musicKey).optional(),
  /**
   * Only tracks that mix with this key, or with the track of this id: in one of its {@link
   * compatibleKeys}, with a tempo within 6 % of its own, of double or of half that.
   */
  mixesWith: mixesWith.optional(),
  /** `minor` or 0, `major` or 1. */
  mode,
  /** The year of the release, or the first and the last year. */
  year: z
    .union([years.transform((year): [number, number] => [year, year]), orderedRange(1, 9999)])
    .optional(),
  /** The `id` of an album, as `tracks.albums` answers it. */
  album: z.int().min(1).optional(),
  ...selection,
}

export const trackSearchParameters = z
  .strictObject({ ...searchConditions, ...pageOfTracks })
  .superRefine(requireOneMode)

export const unpagedParameters = z.strictObject(searchConditions).superRefine(requireOneMode)

export const conditions = z
  .strictObject(searchConditions)
  .omit({ sort: true })
  .superRefine(requireOneMode)

export type TrackSearch = z.output<typeof unpagedParameters>
export type Page = Pick<z.output<typeof trackSearchParameters>, 'start' | 'results'>

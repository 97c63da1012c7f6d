import { z } from 'zod'
import type { MusicKey } from '../music-key.ts'
import { name, page } from '../parameter-types.ts'
import {
  eachFact,
  RANGED_OF_TRACKS,
  type RangedFact,
  type Rows,
  type SearchedTrackFact,
  searchedRange,
} from '../song/facts.ts'
import { mode, musicKey } from '../song/search-parameters.ts'
import { LONGEST_NAME } from '../text.ts'
import { bucket, STATUSES } from './track-answer.ts'
import { TRACK_SORTS } from './track-sorts.ts'

/** The lowest and the highest value that pass, both included. */
function range(low: number, high: number) {
  const bound = z.number().min(low).max(high)
  return z
    .tuple([bound, bound])
    .refine(([from, to]) => from <= to, { error: 'must have the lower value first' })
}

type RangedTrackFact = SearchedTrackFact & RangedFact
type Ranges = { [K in keyof Rows<RangedTrackFact>]: z.ZodOptional<ReturnType<typeof range>> }

/** `tempo: [120, 130]` and so on. */
const ranges: Ranges = eachFact(RANGED_OF_TRACKS, (fact: RangedTrackFact) =>
  range(...searchedRange(fact)).optional(),
)

const years = z.int().min(1).max(9999)

const status = z.enum(STATUSES)

/** The parameters that choose tracks by what is known of all of them, and their order. */
export const selection = {
  /** Only recordings of this song, by its id or a foreign id. */
  songId: z.string().min(1).optional(),
  /** Only tracks in this state, or in one of these. */
  status: z.union([status, z.array(status)]).optional(),
  /** Only tracks whose audio is gone, as no file is present and no copy was kept; or only others. */
  missing: z.boolean().optional(),
  /**
   * The order. Default: `created-asc`, as they were added; of tracks with a `text` by how well they
   * fit. `album-asc` is by albums, in them by disc and track number. Unknown values come last.
   */
  sort: z.enum(TRACK_SORTS).optional(),
}

/** Which page is answered, and how much of each track. */
export const pageOfTracks = {
  ...page(15),
  /** `audio_summary`: what the analysis says in short. */
  bucket,
}

/** What tracks are wanted. */
const wanted = {
  /**
   * What is typed into a search box: words of title, artist, album artist and release in any order,
   * the last one maybe only begun. Slips and additions (`feat. X`, `(Remastered 2011)`) are forgiven
   * where nothing fits better. Without words, all tracks pass.
   */
  text: z
    .string()
    .transform((given) => given.slice(0, LONGEST_NAME).trim() || undefined)
    .optional(),
  /** Words of the artist or of the album artist. */
  artist: name.optional(),
  /** Words of the release. */
  release: name.optional(),
  /** A genre of the tags, in any spelling of case and punctuation. */
  genre: name.optional(),
  ...ranges,
  /**
   * Pitch class, 0 = C … 11 = B, or its name: `C#`, `Db`, `c-sharp`, also with a mode: `Am`,
   * `A minor`, `8A`, `1m`. What {@link parseKey} reads can be given too.
   */
  key: musicKey,
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

interface Keyed {
  key?: MusicKey | undefined
  mode?: number | undefined
}

function requireOneMode({ key, mode }: Keyed, context: z.core.$RefinementCtx): void {
  if (mode === undefined || (key?.mode ?? mode) === mode) return
  const message = 'is not the mode of the key; leave one of them out'
  context.addIssue({ code: 'custom', message, path: ['mode'], input: mode })
}

/** The parameters of `track/search`. */
export const parameters = z.strictObject({ ...wanted, ...pageOfTracks }).superRefine(requireOneMode)

/** The parameters of `track/ids`. */
export const unpagedParameters = z.strictObject(wanted).superRefine(requireOneMode)

/** A query, checked. */
export type TrackSearch = z.output<typeof unpagedParameters>
/** A part of the tracks that a query finds. */
export type Page = Pick<z.output<typeof parameters>, 'start' | 'results'>

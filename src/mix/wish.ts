import { z } from 'zod'
import { name, nonEmpty, oneOrMany, positive, whole } from '../options/parameter-types.ts'
import { eachFact, RANGED, type RangedFact, type Rows, searchedRange } from '../song/facts.ts'
import { conditions } from '../track/search-parameters.ts'
import { summary } from '../track/track-answer.ts'
import { MOODS } from './moods.ts'

const seedFields = z.strictObject({
  /** A track, song, artist or catalog: `TR…`, `SO…`, `AR…`, `CA…`, or a foreign id. */
  id: nonEmpty.optional(),
  /** Path of a file that was uploaded or scanned, or its `file:` URL. */
  file: nonEmpty.optional(),
  /** Words of an artist's name; with `album` also of an album's title. */
  artist: name.optional(),
  /** Words of an album's title. */
  album: name.optional(),
  /** A mood: a place in the plane of valence and energy. */
  mood: z.enum(MOODS).optional(),
  /** How much it counts beside the others, 0.001…1,000. Default 1. */
  weight: z.number().min(0.001).max(1_000).default(1),
})

/** A seed after its check: one of the fields names it, or an artist and an album. */
export interface Seed {
  /** A track, song, artist or catalog: `TR…`, `SO…`, `AR…`, `CA…`, or a foreign id. */
  id?: string | undefined
  /** Path of a file that was uploaded or scanned, or its `file:` URL. */
  file?: string | undefined
  /** Words of an artist's name; with `album` also of an album's title. */
  artist?: string | undefined
  /** Words of an album's title. */
  album?: string | undefined
  /** A mood: a place in the plane of valence and energy. */
  mood?: (typeof MOODS)[number] | undefined
  /** How much it counts beside the others, 0.001…1,000. */
  weight: number
}

const NAMING = ['id', 'file', 'artist', 'album', 'mood'] as const

const seed = z
  .union([nonEmpty.transform((id): Seed => ({ id, weight: 1 })), seedFields])
  .superRefine((givenSeed, context) => {
    const named = NAMING.filter((field) => givenSeed[field] !== undefined).join()
    if (NAMING.some((field) => field === named) || named === 'artist,album') return
    const message = 'needs one of id, file, artist, album with or without artist, mood'
    context.addIssue({ code: 'custom', message, input: givenSeed })
  })

const seeds = oneOrMany(seed).transform((givenSeeds) => [givenSeeds].flat())
const seedList = z.array(seed)

type Curves = { [K in keyof Rows<RangedFact>]: z.ZodOptional<z.ZodArray<z.ZodNumber>> }

/** `energy: [0.2, 0.9, 0.3]` and so on. */
const arcCurves: Curves = eachFact(RANGED, (fact: RangedFact) => {
  const [low, high] = searchedRange(fact)
  return z.array(z.number().min(low).max(high)).min(2).max(100).optional()
})

const avoidedCatalog = z.strictObject({
  /** `CA…`: the tracks of its banned items are left out. */
  catalog: nonEmpty,
  /** Hours: what was played since is left out too. */
  playedHours: positive.optional(),
})

export const wish = z
  .strictObject({
    /**
     * Without seeds it begins anywhere. The distance from several seeds is a weighted soft minimum.
     */
    seeds: seeds.default([]),
    /** Seeds to keep away from. */
    less: seeds.default([]),
    /**
     * As in `track/search`. What is no music is left out where there is other, and the conditions
     * do not say otherwise.
     */
    where: conditions.default({}),
    /**
     * Values evenly apart from the first track to the last, straight lines between them. Needs
     * `length`.
     */
    arc: z.strictObject(arcCurves).default({}),
    /**
     * Other tracks between two of one artist, or of one album. Default: 3 for artists, where that
     * is possible.
     */
    spacing: z
      .strictObject({
        /** Other tracks between two of one artist. */
        artist: whole.max(1_000).optional(),
        /** Other tracks between two of one album. */
        album: whole.max(1_000).optional(),
      })
      .optional(),
    /** Catalogs whose banned or recently played items are left out. */
    avoid: oneOrMany(avoidedCatalog)
      .transform((avoidedCatalogs) => [avoidedCatalogs].flat())
      .default([]),
    /**
     * Hours of tracks that were not skipped, after which what was played comes again. Default:
     * never.
     */
    repeatAfter: positive.max(10_000).optional(),
    /** Tracks, 1…10,000. Default: until nothing is left. */
    length: z.int().min(1).max(10_000).optional(),
    /**
     * 0…1: the temperature of the choice among the ten best tracks; 0 takes the best. Default 0.2.
     */
    variety: z.number().min(0).max(1).default(0.2),
    /**
     * 0…1: how little the seeds count beside the track before. The first track always follows the
     * seeds. Default 0.3.
     */
    adventurousness: z.number().min(0).max(1).default(0.3),
    /** 0…4,294,967,295: equal seeds give equal mixes. Default: random. */
    seed: z.int().min(0).max(0xffffffff).optional(),
    ...summary,
  })
  .superRefine(({ arc, length }, context) => {
    if (length !== undefined || Object.values(arc).every((values) => values === undefined)) return
    const message = 'needs length: it says where the arc ends'
    context.addIssue({ code: 'custom', message, path: ['arc'] })
  })

/** What a mix is to be, after its check. */
export type Wish = z.output<typeof wish>

/** The parameter `state`: all that a mix is, as plain JSON. */
export const mixState = z.strictObject({
  /** What was asked for. */
  wish,
  /** Which of the possible mixes it is. */
  seed: z.int().min(0).max(0xffffffff),
  /** The ids of the tracks so far, in order. */
  played: z.array(nonEmpty).max(100_000),
  /** Those of them that were skipped. */
  skipped: z.array(nonEmpty).max(100_000),
  /** The seeds that were added. */
  more: seedList,
  /** What was added to keep away from. */
  less: seedList,
})

/** A mix so far. It is plain JSON; another process can continue it. */
export type MixState = z.output<typeof mixState>
/** The same, as a caller gives it. */
export type MixStateInput = z.input<typeof mixState>

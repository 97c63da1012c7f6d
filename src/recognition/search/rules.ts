import { ECHOPRINT, type Family } from '../systems/version.ts'
import { type Circumstance, type Demand, demandOf } from '../verdict.ts'

/** How queries of one family are matched, and what an answer must have. */
export interface Rules extends Demand {
  /**
   * How many codes are looked up, rarest first: one number after the other while no song is
   * accepted, at last all codes.
   */
  readonly passes: readonly number[]
  /** About the most postings that are read: a large index is searched only by the rarest codes. */
  readonly budget: number
  /** Codes with more postings than this, per song of the index, are left out … */
  readonly stop: number
  /** … and so are these, always. */
  readonly stopCodes?: readonly number[]
  /** Width of a bin of time offsets, in the family's unit. Codes in three adjacent bins agree. */
  readonly bin: number
  /** A code with this many pairs of a time in the query and one in a song says nothing of an offset. */
  readonly common: number
  /** How many songs, those with the most codes of the query, have their time offsets compared. */
  readonly shortlist: number
  /** Playing speeds of the query to try, relative to the songs': its times are multiplied by these. */
  readonly rates: readonly number[]
}

type Costs = Omit<Rules, keyof Demand>

const COSTS: Costs = {
  passes: [250, 500],
  budget: 2_000_000,
  stop: 1,
  bin: 2,
  common: 16,
  shortlist: 30,
  rates: [1],
}

/**
 * In 1,000,000 made songs the codes of 20 s have 1,200,000 postings by few landmarks and 6,700,000 by
 * many; this budget is enough for the rarest 80 % of the few codes and 60 % of the many.
 */
const TRIPLET_BUDGET = 400_000

const COSTS_OF: Readonly<Record<Family, Costs>> = Object.freeze({
  enmfp: { ...COSTS, bin: 64 },
  chroma: { ...COSTS, bin: 64 },
  echoprint40: { ...COSTS, stopCodes: ECHOPRINT.stopCodes },
  echoprint: { ...COSTS, stopCodes: ECHOPRINT.stopCodes },
  triplets: { ...COSTS, passes: [1_000, 3_000], budget: TRIPLET_BUDGET, bin: 1, common: 1_024 },
})

/** Tempos around a guess, some hundredths wide: the remaining error is under a frame in 20 s. */
const ABOUT: readonly number[] = Array.from({ length: 21 }, (_, i) => 1 + 0.003 * (i - 10))

/** Tempos at which most triplets keep their codes. */
export const NEAR: readonly number[] = [1, 0.994, 1.006, 0.988, 1.012, 0.982, 1.018]

/** How some searches differ: by few landmarks, to save time; in another pitch and tempo. */
const CHEAPER: Partial<Record<Circumstance, Partial<Costs>>> = {
  // The budget is enough for seven tenths of the codes in 1,000,000 made songs.
  fewLandmarks: { passes: [250, 500], budget: 150_000, rates: NEAR },
  guess: { passes: [], budget: 20_000, bin: 4, shortlist: 4 },
  transformed: { passes: [], budget: 200_000, shortlist: 4, rates: ABOUT },
}

export function rulesOf(family: Family, circumstance: Circumstance = 'alone'): Rules {
  return { ...COSTS_OF[family], ...CHEAPER[circumstance], ...demandOf(family, circumstance) }
}

/**
 * How the codes of a whole file are matched: all at once, as the rarest are those that only one of
 * several recordings of a song has.
 */
export function rulesOfWhole(family: Family): Rules {
  return { ...rulesOf(family), passes: [] }
}

/** How the sample of a whole file's codes is matched. Six tenths of it are enough in 1,000,000 songs. */
export const SAMPLE_RULES: Rules = Object.freeze({ ...rulesOfWhole('triplets'), budget: 30_000 })

/** The pieces of a long recording that are searched for in its place. */
export const PIECES = Object.freeze({
  /** Seconds; a longer recording is cut into pieces. */
  longest: 90,
  /** Seconds of a piece. */
  length: 60,
  /** Where the pieces begin, as shares of the duration less one piece. */
  at: Object.freeze([0.1, 0.5, 0.9]) as readonly number[],
})

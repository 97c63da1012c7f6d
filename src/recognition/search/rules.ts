import { ECHOPRINT, type Family } from '../systems/version.ts'

/** How queries of one family are matched and when an answer is accepted. */
export interface Rules {
  /**
   * How many codes are looked up, rarest first: this many at first, this many while no song is
   * accepted, at last all.
   */
  readonly passes: readonly number[]
  /** About the most postings that are read: in a large index the rarest codes must do. */
  readonly budget: number
  /** Codes with more postings than this, per song of the index, are left out … */
  readonly stop: number
  /** … and so are these, always. */
  readonly stopCodes?: readonly number[]
  /** Width of a bin of time offsets, in the family's unit. Codes in three adjacent bins agree. */
  readonly bin: number
  /** How many songs, those with the most codes of the query, have their time offsets compared. */
  readonly shortlist: number
  /** Playing speeds of the query to try, relative to the songs': its times are multiplied by these. */
  readonly rates: readonly number[]
  /** A query of fewer distinct codes has no answer. */
  readonly minimum: number
  /** The score must be at least this in an index of 1,000 songs … */
  readonly floor: number
  /** … and this much more (less) for every doubling (halving) of it. */
  readonly growth: number
  /** The score must be at least this share of the codes considered. */
  readonly share: number
  /** The next song, another recording, must fall behind by this share of the best one's score. */
  readonly lead: number
}

/**
 * Playing speeds to try when a recording is not found at its own, the likeliest first: ±5 % in steps
 * of half a percent, the largest that the steps of landmarks tolerate.
 */
export const RATES: readonly number[] = Array.from({ length: 10 }, (_, i) => [
  1 + 0.005 * (i + 1),
  1 - 0.005 * (i + 1),
]).flat()

const rules = {
  passes: [250, 500],
  budget: 2_000_000,
  stop: 1,
  bin: 2,
  shortlist: 30,
  rates: [1],
  minimum: 10,
  floor: 12.3,
  growth: 0.5,
  share: 0.01,
  lead: 0.4,
}

/**
 * How queries of each family are matched. Echoprint's and landmarks' are calibrated on 2,178 queries
 * of music that an index of 88 recordings does not hold, many from the same composers and sample
 * libraries: at these floors landmarks name a wrong recording for none of them, Echoprint for 0.4 %.
 * Chance alone reaches scores of 3 in 10,000 songs. The floors are there for related recordings: the
 * larger an index, the more of them it holds.
 */
export const RULES: Readonly<Record<Family, Rules>> = Object.freeze({
  enmfp: { ...rules, bin: 64 },
  // Of 605 queries whose own recording is not in an index of 110 songs, none is answered. Two
  // arrangements of one theme reach a score of 14, but only 0.7 % of the codes.
  chroma: { ...rules, bin: 64, floor: 8, share: 0.01 },
  echoprint40: { ...rules, stopCodes: ECHOPRINT.stopCodes },
  echoprint: { ...rules, stopCodes: ECHOPRINT.stopCodes },
  landmarks: {
    ...rules,
    passes: [1_000, 3_000],
    budget: 1_500_000,
    bin: 1,
    floor: 10,
    share: 0.0016,
  },
})

/**
 * Multiplies the score that other codes require when there is sound and its landmarks found nothing:
 * music of one tempo has many codes of Echoprint in common.
 */
export const BESIDE_LANDMARKS = 2.5

/** A search by few landmarks saves time: it answers only clear cases, by this floor and share. */
export const PLAIN = Object.freeze({ passes: [250, 500], floor: 11, share: 0.02 })

/** Many playing speeds are tried: each must be cheap, and the required score is multiplied by this. */
export const SHIFTED = Object.freeze({ strictness: 1.3, budget: 200_000 })

/** The pieces of a long recording that are searched for in its place. */
export const PIECES = Object.freeze({
  /** Seconds; a longer recording is cut into pieces. */
  longest: 90,
  /** Seconds of a piece. */
  length: 60,
  /** Where the pieces begin, as shares of the duration less one piece. */
  at: Object.freeze([0.1, 0.5, 0.9]) as readonly number[],
})

import { ECHOPRINT_SYSTEM, type Family } from '../systems/version.ts'
import { type AnswerDemand, type Circumstance, demandOf } from '../verdict.ts'

export interface MatchRules extends AnswerDemand {
  /** How many codes are looked up, rarest first, in each pass until a song is accepted. */
  readonly passes: readonly number[]
  /** About the most postings read: a large index is searched by the rarest codes. */
  readonly budget: number
  /** Codes with more postings than this, per song of the index, are left out … */
  readonly stop: number
  /** … and so are these, always. */
  readonly stopCodes?: readonly number[]
  /** Width of a bin of offsets; codes in three adjacent bins agree. */
  readonly bin: number
  /** A code with this many pairs says nothing of an offset. */
  readonly common: number
  /** How many songs, those with the most codes, have their offsets compared. */
  readonly shortlist: number
  readonly rates: readonly number[]
}

type SearchCosts = Omit<MatchRules, keyof AnswerDemand>

const USUAL_COSTS: SearchCosts = {
  passes: [250, 500],
  budget: 2_000_000,
  stop: 1,
  bin: 2,
  common: 16,
  shortlist: 30,
  rates: [1],
}

/** In 1,000,000 songs this reaches the rarest 80 % of the few codes. */
const TRIPLET_BUDGET = 400_000

const FAMILY_COSTS: Readonly<Record<Family, SearchCosts>> = Object.freeze({
  enmfp: { ...USUAL_COSTS, bin: 64 },
  chroma: { ...USUAL_COSTS, bin: 64 },
  echoprint40: { ...USUAL_COSTS, stopCodes: ECHOPRINT_SYSTEM.stopCodes },
  echoprint: { ...USUAL_COSTS, stopCodes: ECHOPRINT_SYSTEM.stopCodes },
  triplets: {
    ...USUAL_COSTS,
    passes: [1_000, 3_000],
    budget: TRIPLET_BUDGET,
    bin: 1,
    common: 1_024,
  },
})

/** Tempos around a guess; the remaining error is under a frame in 20 s. */
const TEMPOS_AROUND_GUESS: readonly number[] = Array.from(
  { length: 21 },
  (_, i) => 1 + 0.003 * (i - 10),
)

/** Tempos at which most triplets keep their codes. */
export const NEAR_TEMPOS: readonly number[] = [1, 0.994, 1.006, 0.988, 1.012, 0.982, 1.018]

const CIRCUMSTANCE_COSTS: Partial<Record<Circumstance, Partial<SearchCosts>>> = {
  fewLandmarks: { passes: [250, 500], budget: 150_000, rates: NEAR_TEMPOS },
  guess: { passes: [], budget: 20_000, bin: 4, shortlist: 4 },
  transformed: { passes: [], budget: 200_000, shortlist: 4, rates: TEMPOS_AROUND_GUESS },
}

export function rulesOf(family: Family, circumstance: Circumstance = 'alone'): MatchRules {
  return {
    ...FAMILY_COSTS[family],
    ...CIRCUMSTANCE_COSTS[circumstance],
    ...demandOf(family, circumstance),
  }
}

/** The codes of a whole file are matched at once: the rarest tell recordings of one song apart. */
export function rulesOfWhole(family: Family): MatchRules {
  return { ...rulesOf(family), passes: [] }
}

export const SAMPLE_RULES: MatchRules = Object.freeze({
  ...rulesOfWhole('triplets'),
  budget: 30_000,
})

export const SEARCHED_PIECES = Object.freeze({
  /** Seconds; a longer recording is cut into pieces. */
  longest: 90,
  /** Seconds of a piece. */
  length: 60,
  at: Object.freeze([0.1, 0.5, 0.9]) as readonly number[],
})

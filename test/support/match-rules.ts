import { atOnce } from '../../src/kernel/scheduler.ts'
import { matchCodes } from '../../src/recognition/search/match.ts'
import type { MatchRules } from '../../src/recognition/search/rules.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'

/** Rules that ask for all codes at once, and for no share of them. */
export const PLAIN_RULES: MatchRules = {
  passes: [],
  budget: 100_000,
  stop: 1,
  bin: 2,
  common: 16,
  shortlist: 10,
  rates: [1],
  minimum: 10,
  floor: 10,
  growth: 0,
  share: 0,
  lead: 0.4,
  surprise: 0,
}

export function codes(pairs: readonly (readonly [code: number, time: number])[]): Codes {
  return {
    codes: Uint32Array.from(pairs, ([code]) => code),
    times: Uint32Array.from(pairs, ([, time]) => time),
  }
}

/** The songs that answer a query. */
export function match(...asked: Parameters<typeof matchCodes>) {
  return atOnce(matchCodes(...asked)).accepted
}

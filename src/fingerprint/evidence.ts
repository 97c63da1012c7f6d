import type { Codes } from './codes.ts'
import type { Echoprint } from './echoprint.ts'
import { excerptCodes, type Landmarks } from './landmarks.ts'
import { type Candidate, type Lookup, match } from './match.ts'
import { type Family, RATES, RULES } from './version.ts'

/** All fingerprints of a recording, or of a piece of one. */
export interface Prints {
  echoprint: Echoprint
  landmarks: Landmarks
  /** System A, ours. */
  chroma: Codes
}

/** A song that was identified. */
export interface Identified extends Candidate {
  family: Family
}

/** Where the codes of each family are looked up. */
export type Lookups = (family: Family) => Lookup

/** The songs of a query of codes alone. */
export function identifyCodes(
  family: Family,
  codes: Codes,
  lookup: Lookup,
  recordingOf: (song: number) => number,
  { lenient = false }: { lenient?: boolean } = {},
): Identified[] {
  const rules = RULES[family]
  const eased = lenient ? { ...rules, floor: rules.floor / 2, share: rules.share / 2 } : rules
  return match(codes, lookup, eased, recordingOf).map((found) => ({ ...found, family }))
}

/** The songs of a query of sound, by all the evidence there is, the cheapest first. */
export function identifyPrints(
  prints: Prints,
  lookups: Lookups,
  recordingOf: (song: number) => number,
): Identified[] {
  return (
    [
      () => by('landmarks', excerptCodes(prints.landmarks)),
      () => by('echoprint', prints.echoprint.codes),
      () => by('chroma', prints.chroma),
      ...RATES.map((rate) => () => by('landmarks', excerptCodes(prints.landmarks, rate), rate)),
    ] as const
  ).reduce<Identified[]>((found, pass) => (found.length > 0 ? found : pass()), [])

  function by(family: Family, codes: Codes, rate = 1): Identified[] {
    const found = match(codes, lookups(family), RULES[family], recordingOf)
    return found.map((one) => ({ ...one, family, rate: one.rate * rate }))
  }
}

import type { Codes, Lookup } from '../systems/codes.ts'
import type { Echoprint } from '../systems/echoprint.ts'
import { BREADTHS, excerptCodes, type Landmarks } from '../systems/landmarks.ts'
import { type Family, PER_SECOND } from '../systems/version.ts'
import type { Circumstance } from '../verdict.ts'
import { type Candidate, type Finding, matching } from './match.ts'
import { PIECES, RATES, rulesOf } from './rules.ts'

/** All fingerprints of a recording or a piece of one. */
export interface Prints {
  echoprint: Echoprint
  landmarks: Landmarks
  /** System A, ours. */
  chroma: Codes
}

/** A song that was identified. */
export interface Identified extends Candidate {
  /** The family whose codes agree. */
  family: Family
}

/** The index of each family's codes. */
export type Lookups = (family: Family) => Lookup

/** A number for each song of an index; songs known to be one recording have the same. */
type RecordingOf = (song: number) => number

/**
 * An answer in the form of the old service: a whole score (54 for a clean excerpt of 20 s, there as
 * here) and its type of match. 3, SINGLE_GOOD: no other song has anything in common with the query.
 * 5, MULTIPLE_GOOD_HISTOGRAM_INCREASED: others have, and the times of the codes set the best apart.
 */
export function answered({ score, lead }: Pick<Candidate, 'score' | 'lead'>): {
  score: number
  message: string
} {
  return { score: Math.round(score), message: `OK (match type ${lead === 1 ? 3 : 5})` }
}

/** Identifies codes of one family, in steps between which other work can come. */
export function* identifyingCodes(
  family: Family,
  codes: Codes,
  lookup: Lookup,
  recordingOf?: RecordingOf,
): Generator<void, Finding<Identified>> {
  const finding = yield* matching(codes, lookup, rulesOf(family), recordingOf)
  const ofFamily = (one: Candidate) => ({ ...one, family })
  return {
    ...finding,
    accepted: finding.accepted.map(ofFamily),
    refused: finding.refused.map(ofFamily),
  }
}

/**
 * Identifies sound by all its fingerprints, in steps between which other work can come. The cheapest
 * search comes first and the first answer counts: few landmarks, many landmarks, Echoprint, chroma,
 * then landmarks at other speeds. One family is enough: what noise leaves of one says nothing about
 * the others.
 *
 * Of a long recording only some pieces are searched for.
 */
export function* identifying(
  prints: Prints,
  lookups: Lookups,
  recordingOf?: RecordingOf,
): Generator<void, Identified[]> {
  const pieces = piecesOf(prints)
  for (const { landmarks } of pieces) {
    const codes = excerptCodes(landmarks, { breadth: BREADTHS.narrow })
    const found = yield* by('landmarks', codes, 1, 'fewLandmarks')
    if (found.length > 0) return found
  }
  for (const { landmarks, echoprint, chroma } of pieces) {
    const found = yield* by('landmarks', excerptCodes(landmarks), 1, 'alone')
    if (found.length > 0) return found
    for (const [family, codes] of [
      ['echoprint', echoprint.codes],
      ['chroma', chroma],
    ] as const) {
      const found = yield* by(family, codes, 1, 'besideLandmarks')
      if (found.length > 0) return found
    }
  }
  const { landmarks } = pieces[Math.floor(pieces.length / 2)]!
  for (const rate of RATES) {
    const found = yield* atRate(rate)
    if (found.length > 0) return yield* climbed(found, rate)
  }
  return []

  function atRate(rate: number): Generator<void, Identified[]> {
    const codes = excerptCodes(landmarks, { rate, breadth: BREADTHS.shifted })
    return by('landmarks', codes, rate, 'atOtherSpeed')
  }

  /** The best answer at this rate or farther from 1; rates are tried from the nearest on. */
  function* climbed(first: Identified[], from: number): Generator<void, Identified[]> {
    let best = first
    for (const rate of RATES) {
      if ((rate - from) * (from - 1) <= 0) continue
      const next = yield* atRate(rate)
      if ((next[0]?.score ?? 0) <= best[0]!.score) break
      best = next
    }
    return best
  }

  function* by(
    family: Family,
    codes: Codes,
    rate: number,
    circumstance: Circumstance,
  ): Generator<void, Identified[]> {
    // Making the codes is a step of its own; some searches have no other.
    yield
    const rules = rulesOf(family, circumstance)
    const { accepted } = yield* matching(codes, lookups(family), rules, recordingOf)
    return accepted.map((one) => ({ ...one, family, rate: one.rate * rate }))
  }
}

/** The pieces of a recording to search for: some minutes of a long one. */
function piecesOf(prints: Prints): Prints[] {
  const { landmarks, echoprint, chroma } = prints
  const { times } = landmarks
  const seconds = (times.at(-1) ?? 0) / PER_SECOND.landmarks
  const { longest, length, at } = PIECES
  if (seconds <= longest) return [prints]
  return at.map((share) => {
    const from = share * (seconds - length)
    const to = from + length
    const marked = within(times, from * PER_SECOND.landmarks, to * PER_SECOND.landmarks)
    const onsets = codesWithin(
      echoprint.codes,
      from * PER_SECOND.echoprint,
      to * PER_SECOND.echoprint,
    )
    return {
      landmarks: {
        times: Float32Array.from(marked, (i) => times[i]!),
        frequencies: Float32Array.from(marked, (i) => landmarks.frequencies[i]!),
        saliences: Float32Array.from(marked, (i) => landmarks.saliences[i]!),
      },
      echoprint: { ...echoprint, codes: onsets },
      chroma: codesWithin(chroma, from * PER_SECOND.chroma, to * PER_SECOND.chroma),
    }
  })
}

/** The codes from one time to another, in their order. */
export function codesWithin({ codes, times }: Codes, from: number, to: number): Codes {
  const kept = within(times, from, to)
  return { codes: kept.map((i) => codes[i]!), times: kept.map((i) => times[i]!) }
}

/** The places of the times from one to another. */
function within(times: Uint32Array | Float32Array, from: number, to: number): Uint32Array {
  const places = new Uint32Array(times.length)
  let count = 0
  for (let i = 0; i < times.length; i++) {
    if (times[i]! >= from && times[i]! < to) places[count++] = i
  }
  return places.slice(0, count)
}

import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import type { Echoprint } from '../systems/echoprint.ts'
import type { Landmarks } from '../systems/landmarks.ts'
import { BREADTHS, excerptCodes, type Playing } from '../systems/triplets.ts'
import { type Family, PER_SECOND, TRIPLETS } from '../systems/version.ts'
import { type Circumstance, together } from '../verdict.ts'
import { type Candidate, type Finding, matching, type RecordingOf } from './match.ts'
import { guesses } from './pitch-and-tempo.ts'
import { songsOf } from './query.ts'
import { NEAR, PIECES, rulesOf } from './rules.ts'
import type { Searched } from './shortlist.ts'

/** All fingerprints of a recording or a piece of one. */
export interface Prints {
  echoprint: Echoprint
  landmarks: Landmarks
  /** System A, ours. */
  chroma: Codes
}

export interface Identified extends Candidate {
  family: Family
  /**
   * The query's pitch relative to the song's at that rate, semitones: −1 if the query is 6 % faster
   * in the same key.
   */
  pitch: number
}

export type Lookups = (family: Family) => Searched

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

/** Identifies codes of one family, in steps between which other work can run. */
export function* identifyingCodes(
  family: Family,
  codes: Codes,
  lookup: Searched,
  recordingOf?: RecordingOf,
): Steps<Finding<Identified>> {
  return identifiedIn(yield* matching(codes, lookup, rulesOf(family), recordingOf), family)
}

/**
 * Identifies sound by all its fingerprints, in steps between which other work can run. The cheapest
 * search comes first and the first answer counts: few triplets of landmarks, many of them, triplets
 * in other pitches and tempos, then Echoprint and chroma, which know neither pitch nor tempo. Noise
 * damages each family differently. Of a long recording, only some pieces are searched for.
 */
export function* identifying(
  prints: Prints,
  lookups: Lookups,
  recordingOf: RecordingOf = (song) => song,
): Steps<Identified[]> {
  const songs = songsOf(lookups('triplets'))
  const pieces = piecesOf(prints).map((piece) => ({ ...piece, weak: [] as Identified[] }))
  for (const piece of pieces) {
    const codes = excerptCodes(piece.landmarks, { breadth: BREADTHS.narrow })
    const { accepted, refused } = yield* by('triplets', codes, 'fewLandmarks')
    const [first] = accepted
    if (first) return yield* toldCloser(piece.landmarks, first, accepted)
    borneOut(piece.weak, refused)
  }
  for (const { landmarks, weak } of pieces) {
    const { accepted, refused } = yield* by('triplets', manyCodes(landmarks), 'alone')
    if (accepted.length > 0) return [...accepted]
    borneOut(weak, refused)
  }
  const found = yield* transformed(pieces[Math.floor(pieces.length / 2)]!.landmarks)
  if (found.length > 0) return found
  for (const { landmarks, echoprint, chroma, weak } of pieces) {
    const circumstance = isSilent(landmarks, echoprint) ? 'alone' : 'besideLandmarks'
    for (const [family, codes] of [
      ['echoprint', echoprint.codes],
      ['chroma', chroma],
    ] as const) {
      const { accepted, refused } = yield* by(family, codes, circumstance)
      if (accepted.length > 0) return [...accepted]
      const both = borneOut(weak, refused)
      if (both) return [both]
    }
  }
  return []

  /**
   * Adds a system's best refused song to the weak answers about one piece of sound; returns the
   * first answer of another system that names the same recording at the same offset.
   */
  function borneOut(weak: Identified[], [answer]: readonly Identified[]): Identified | undefined {
    if (!answer) return undefined
    weak.push(answer)
    const recording = recordingOf(answer.song)
    return weak.find(
      (one) =>
        one.family !== answer.family &&
        recordingOf(one.song) === recording &&
        together(placed(one), placed(answer), songs),
    )
  }

  /** Looks closer at a song found at the slowest or fastest speed: the true one may lie beyond. */
  function* toldCloser(
    landmarks: Landmarks,
    first: Identified,
    accepted: readonly Identified[],
  ): Steps<Identified[]> {
    const played = { pitch: first.rate, tempo: first.rate }
    const atEnd = first.rate === Math.min(...NEAR) || first.rate === Math.max(...NEAR)
    const closer = atEnd ? yield* closest(landmarks, played) : []
    return closer[0]?.song === first.song ? closer : [...accepted]
  }

  /** Sound in another pitch and tempo: the first guess that a closer look confirms. */
  function* transformed(landmarks: Landmarks): Steps<Identified[]> {
    for (const guessing of guesses(fewCodes(landmarks), lookups('triplets'))) {
      yield
      const guess = yield* guessing
      const found = guess ? yield* closest(landmarks, guess) : []
      if (found.length > 0) return found
    }
    return []
  }

  /**
   * Searches around a guess, which covers a step of pitch and some hundredths of tempo. The result
   * may lie at the edge of that range, so a second search goes around the result.
   */
  function* closest(landmarks: Landmarks, guess: Playing): Steps<Identified[]> {
    let found: Identified[] = []
    let best = { ...guess, score: 0 }
    for (let look = 0; look < 2; look++) {
      const { pitch, tempo, score } = best
      for (const nearby of NEARBY) {
        const playing = { pitch: pitch * nearby, tempo }
        const { accepted, refused } = yield* searched(landmarks, playing)
        const [first] = [...accepted, ...refused]
        if (!first || first.score <= best.score) continue
        best = { pitch: playing.pitch, tempo: first.rate, score: first.score }
      }
      if (best.score === score) break
      const { accepted } = yield* searched(landmarks, best)
      if (accepted.length === 0) break
      found = [...accepted]
    }
    return found
  }

  function searched(landmarks: Landmarks, playing: Playing): Steps<Finding<Identified>> {
    const codes = excerptCodes(landmarks, { playing, breadth: BREADTHS.narrow })
    return by('triplets', codes, 'transformed', playing)
  }

  function* by(
    family: Family,
    codes: Codes,
    circumstance: Circumstance,
    playing?: Playing,
  ): Steps<Finding<Identified>> {
    // Making the codes is a step of its own; some searches have no other.
    yield
    const rules = rulesOf(family, circumstance)
    const finding = yield* matching(codes, lookups(family), rules, recordingOf)
    return identifiedIn(finding, family, playing)
  }
}

function placed(answer: Identified) {
  const { family, offset } = answer
  return { ...answer, system: family, offset: offset / PER_SECOND[family] }
}

/** What was found by codes of a family, for sound that is assumed to be played as `playing`. */
function identifiedIn(finding: Finding, family: Family, playing?: Playing): Finding<Identified> {
  const identified = (one: Candidate): Identified => {
    if (!playing) return { ...one, family, pitch: 0 }
    const rate = one.rate * playing.tempo
    return { ...one, family, rate, pitch: 12 * Math.log2(playing.pitch / rate) }
  }
  return {
    ...finding,
    accepted: finding.accepted.map(identified),
    refused: finding.refused.map(identified),
  }
}

/** Frames. Excerpts up to this length are looked up by more codes a second. */
const SHORT = 12 * PER_SECOND.triplets

function manyCodes(landmarks: Landmarks): Codes {
  const { times } = landmarks
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return excerptCodes(landmarks, { breadth: length <= SHORT ? BREADTHS.widest : BREADTHS.broad })
}

/**
 * With up to this many landmarks a second, they do not speak against another system's answer. Most
 * music has the 30 that are kept: of 1,094 excerpts four have up to 5.3, all others 12 and more.
 */
const SILENT = 6

/** Whether sound with Echoprint codes has hardly any landmarks, as low tones do. */
function isSilent({ times }: Landmarks, { codes }: Echoprint): boolean {
  const last = codes.times.reduce((most, time) => Math.max(most, time), 0)
  const first = codes.times.reduce((least, time) => Math.min(least, time), last)
  return times.length <= (SILENT * (last - first)) / PER_SECOND.echoprint
}

/** Codes by which other pitches and tempos are guessed; of music with few landmarks, more of them. */
function fewCodes(landmarks: Landmarks): Codes {
  const codes = excerptCodes(landmarks, { breadth: BREADTHS.sparse })
  return codes.codes.length >= FEW ? codes : excerptCodes(landmarks, { breadth: BREADTHS.narrow })
}
const FEW = 150

/** Factors of pitch that are tried around a guess. */
const NEARBY: readonly number[] = [0, -1, 1].map((thirds) => {
  return 2 ** ((thirds * TRIPLETS.steps.pitch) / 3)
})

/** The pieces of a recording to search for: some minutes of a long one. */
function piecesOf(prints: Prints): Prints[] {
  const { landmarks, echoprint, chroma } = prints
  const { times } = landmarks
  const seconds = (times.at(-1) ?? 0) / PER_SECOND.triplets
  const { longest, length, at } = PIECES
  if (seconds <= longest) return [prints]
  return at.map((share) => {
    const from = share * (seconds - length)
    const to = from + length
    const marked = within(times, from * PER_SECOND.triplets, to * PER_SECOND.triplets)
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

import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import type { Echoprint } from '../systems/echoprint.ts'
import type { Landmarks } from '../systems/landmarks.ts'
import { excerptCodes, type Playing, TRIPLET_BREADTHS } from '../systems/triplets.ts'
import { type Family, TRIPLET_SYSTEM, UNITS_PER_SECOND } from '../systems/version.ts'
import { type Circumstance, isConfirmed } from '../verdict.ts'
import { type CodeMatch, type MatchFinding, matchCodes, type RecordingOf } from './match.ts'
import { guessPlaying } from './pitch-and-tempo.ts'
import { countSongs } from './query.ts'
import { NEAR_TEMPOS, rulesOf, SEARCHED_PIECES } from './rules.ts'
import type { SearchedIndex } from './shortlist.ts'

export interface SoundPrints {
  echoprint: Echoprint
  landmarks: Landmarks
  /** Echoprint's system A, as computed here. */
  chroma: Codes
}

export interface IdentifiedSong extends CodeMatch {
  family: Family
  /** The query's pitch relative to the song's at that rate, semitones. */
  pitch: number
}

export type FamilyLookups = (family: Family) => SearchedIndex

/**
 * The old service's answer: a whole score, and type 3 (no other song is near) or 5 (times decide).
 */
export function formatAnswer({ score, lead }: Pick<CodeMatch, 'score' | 'lead'>): {
  score: number
  message: string
} {
  return { score: Math.round(score), message: `OK (match type ${lead === 1 ? 3 : 5})` }
}

export function* identifyByCodes(
  family: Family,
  codes: Codes,
  lookup: SearchedIndex,
  recordingOf?: RecordingOf,
): Steps<MatchFinding<IdentifiedSong>> {
  return toIdentified(yield* matchCodes(codes, lookup, rulesOf(family), recordingOf), family)
}

/**
 * Identifies sound by all its fingerprints: the cheapest search first, the first answer counts. Of
 * a long recording, only pieces are searched.
 */
export function* identifySound(
  prints: SoundPrints,
  lookups: FamilyLookups,
  recordingOf: RecordingOf = (song) => song,
): Steps<IdentifiedSong[]> {
  const songs = countSongs(lookups('triplets'))
  const pieces = cutPieces(prints).map((piece) => ({ ...piece, weak: [] as IdentifiedSong[] }))
  for (const piece of pieces) {
    const codes = excerptCodes(piece.landmarks, { breadth: TRIPLET_BREADTHS.narrow })
    const { accepted, refused } = yield* searchFamily('triplets', codes, 'fewLandmarks')
    const [first] = accepted
    if (first) return yield* lookCloser(piece.landmarks, first, accepted)
    addWeakAnswer(piece.weak, refused)
  }
  for (const { landmarks, weak } of pieces) {
    const { accepted, refused } = yield* searchFamily('triplets', manyCodes(landmarks), 'alone')
    if (accepted.length > 0) return [...accepted]
    addWeakAnswer(weak, refused)
  }
  const transformedSongs = yield* findTransformed(pieces[Math.floor(pieces.length / 2)]!.landmarks)
  if (transformedSongs.length > 0) return transformedSongs
  for (const { landmarks, echoprint, chroma, weak } of pieces) {
    const circumstance = hasFewLandmarks(landmarks, echoprint) ? 'alone' : 'besideLandmarks'
    for (const [family, codes] of [
      ['echoprint', echoprint.codes],
      ['chroma', chroma],
    ] as const) {
      const { accepted, refused } = yield* searchFamily(family, codes, circumstance)
      if (accepted.length > 0) return [...accepted]
      const confirmed = addWeakAnswer(weak, refused)
      if (confirmed) return [confirmed]
    }
  }
  return []

  /** Keeps a refused song as weak; returns another system's answer that confirms it. */
  function addWeakAnswer(
    weak: IdentifiedSong[],
    [answer]: readonly IdentifiedSong[],
  ): IdentifiedSong | undefined {
    if (!answer) return undefined
    weak.push(answer)
    const recording = recordingOf(answer.song)
    return weak.find(
      (weakAnswer) =>
        weakAnswer.family !== answer.family &&
        recordingOf(weakAnswer.song) === recording &&
        isConfirmed(placeAnswer(weakAnswer), placeAnswer(answer), songs),
    )
  }

  /** A song at the slowest or fastest speed may be played yet slower or faster. */
  function* lookCloser(
    landmarks: Landmarks,
    first: IdentifiedSong,
    accepted: readonly IdentifiedSong[],
  ): Steps<IdentifiedSong[]> {
    const played = { pitch: first.rate, tempo: first.rate }
    const isExtremeSpeed =
      first.rate === Math.min(...NEAR_TEMPOS) || first.rate === Math.max(...NEAR_TEMPOS)
    const closer = isExtremeSpeed ? yield* searchAround(landmarks, played) : []
    return closer[0]?.song === first.song ? closer : [...accepted]
  }

  /** Sound in another pitch and tempo: the first guess that a closer look confirms. */
  function* findTransformed(landmarks: Landmarks): Steps<IdentifiedSong[]> {
    for (const guessing of guessPlaying(sparseCodes(landmarks), lookups('triplets'))) {
      yield
      const guess = yield* guessing
      const songsAtGuess = guess ? yield* searchAround(landmarks, guess) : []
      if (songsAtGuess.length > 0) return songsAtGuess
    }
    return []
  }

  /**
   * The result may lie at the edge of the range around a guess, so a second search goes around it.
   */
  function* searchAround(landmarks: Landmarks, guess: Playing): Steps<IdentifiedSong[]> {
    let closeSongs: IdentifiedSong[] = []
    let bestPlaying = { ...guess, score: 0 }
    for (let round = 0; round < 2; round++) {
      const { pitch, tempo, score } = bestPlaying
      for (const nearby of NEARBY_PITCHES) {
        const playing = { pitch: pitch * nearby, tempo }
        const { accepted, refused } = yield* searchPlaying(landmarks, playing)
        const [first] = [...accepted, ...refused]
        if (!first || first.score <= bestPlaying.score) continue
        bestPlaying = { pitch: playing.pitch, tempo: first.rate, score: first.score }
      }
      if (bestPlaying.score === score) break
      const { accepted } = yield* searchPlaying(landmarks, bestPlaying)
      if (accepted.length === 0) break
      closeSongs = [...accepted]
    }
    return closeSongs
  }

  function searchPlaying(
    landmarks: Landmarks,
    playing: Playing,
  ): Steps<MatchFinding<IdentifiedSong>> {
    const codes = excerptCodes(landmarks, { playing, breadth: TRIPLET_BREADTHS.narrow })
    return searchFamily('triplets', codes, 'transformed', playing)
  }

  function* searchFamily(
    family: Family,
    codes: Codes,
    circumstance: Circumstance,
    playing?: Playing,
  ): Steps<MatchFinding<IdentifiedSong>> {
    // Making the codes is a step of its own.
    yield
    const rules = rulesOf(family, circumstance)
    const finding = yield* matchCodes(codes, lookups(family), rules, recordingOf)
    return toIdentified(finding, family, playing)
  }
}

function placeAnswer(answer: IdentifiedSong) {
  const { family, offset } = answer
  return { ...answer, system: family, offset: offset / UNITS_PER_SECOND[family] }
}

function toIdentified(
  finding: MatchFinding,
  family: Family,
  playing?: Playing,
): MatchFinding<IdentifiedSong> {
  const identify = (candidate: CodeMatch): IdentifiedSong => {
    if (!playing) return { ...candidate, family, pitch: 0 }
    const rate = candidate.rate * playing.tempo
    return { ...candidate, family, rate, pitch: 12 * Math.log2(playing.pitch / rate) }
  }
  return {
    ...finding,
    accepted: finding.accepted.map(identify),
    refused: finding.refused.map(identify),
  }
}

const SHORT_EXCERPT_FRAMES = 12 * UNITS_PER_SECOND.triplets

function manyCodes(landmarks: Landmarks): Codes {
  const { times } = landmarks
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return excerptCodes(landmarks, {
    breadth: length <= SHORT_EXCERPT_FRAMES ? TRIPLET_BREADTHS.widest : TRIPLET_BREADTHS.broad,
  })
}

/** Landmarks a second up to which they do not speak against another system's answer. */
const FEW_LANDMARKS_RATE = 6

/** Whether sound with Echoprint codes has hardly any landmarks, as low tones do. */
function hasFewLandmarks({ times }: Landmarks, { codes }: Echoprint): boolean {
  const last = codes.times.reduce((latest, time) => Math.max(latest, time), 0)
  const first = codes.times.reduce((earliest, time) => Math.min(earliest, time), last)
  return times.length <= (FEW_LANDMARKS_RATE * (last - first)) / UNITS_PER_SECOND.echoprint
}

/** Codes by which other pitches and tempos are guessed; more of them where landmarks are few. */
function sparseCodes(landmarks: Landmarks): Codes {
  const codes = excerptCodes(landmarks, { breadth: TRIPLET_BREADTHS.sparse })
  return codes.codes.length >= MIN_GUESS_CODES
    ? codes
    : excerptCodes(landmarks, { breadth: TRIPLET_BREADTHS.narrow })
}
const MIN_GUESS_CODES = 150

const NEARBY_PITCHES: readonly number[] = [0, -1, 1].map((thirds) => {
  return 2 ** ((thirds * TRIPLET_SYSTEM.steps.pitch) / 3)
})

function cutPieces(prints: SoundPrints): SoundPrints[] {
  const { landmarks, echoprint, chroma } = prints
  const { times } = landmarks
  const seconds = (times.at(-1) ?? 0) / UNITS_PER_SECOND.triplets
  const { longest, length, at } = SEARCHED_PIECES
  if (seconds <= longest) return [prints]
  return at.map((share) => {
    const start = share * (seconds - length)
    const end = start + length
    const places = placesWithin(
      times,
      start * UNITS_PER_SECOND.triplets,
      end * UNITS_PER_SECOND.triplets,
    )
    const onsets = codesWithin(
      echoprint.codes,
      start * UNITS_PER_SECOND.echoprint,
      end * UNITS_PER_SECOND.echoprint,
    )
    return {
      landmarks: {
        times: Float32Array.from(places, (i) => times[i]!),
        frequencies: Float32Array.from(places, (i) => landmarks.frequencies[i]!),
        saliences: Float32Array.from(places, (i) => landmarks.saliences[i]!),
      },
      echoprint: { ...echoprint, codes: onsets },
      chroma: codesWithin(chroma, start * UNITS_PER_SECOND.chroma, end * UNITS_PER_SECOND.chroma),
    }
  })
}

export function codesWithin({ codes, times }: Codes, start: number, end: number): Codes {
  const places = placesWithin(times, start, end)
  return { codes: places.map((i) => codes[i]!), times: places.map((i) => times[i]!) }
}

function placesWithin(times: Uint32Array | Float32Array, start: number, end: number): Uint32Array {
  const places = new Uint32Array(times.length)
  let count = 0
  for (let i = 0; i < times.length; i++) {
    if (times[i]! >= start && times[i]! < end) places[count++] = i
  }
  return places.slice(0, count)
}

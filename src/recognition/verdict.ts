import {
  type Evidence,
  type FileEvidence,
  type FileSystem,
  lengthsApart,
  shorterShare,
} from './evidence.ts'
import type { Family } from './systems/version.ts'

/** All thresholds for whether an answer is right; `search/rules.ts` chooses what a search costs. */

/** What an answer of one system must have. */
export interface AnswerDemand {
  readonly minimum: number
  /** The score must be at least this in an index of 1,000 songs … */
  readonly floor: number
  /** … and this much more (less) for every doubling (halving) of it. */
  readonly growth: number
  readonly share: number
  readonly lead: number
  /** The {@link surpriseOf} must be at least this. */
  readonly surprise: number
}

const USUAL_DEMAND: AnswerDemand = {
  minimum: 10,
  floor: 12.3,
  growth: 0.5,
  share: 0.01,
  lead: 0.4,
  surprise: 0,
}

/** The larger an index, the more related recordings it holds. */
const FAMILY_DEMANDS: Readonly<Record<Family, AnswerDemand>> = Object.freeze({
  enmfp: USUAL_DEMAND,
  // Two arrangements of one theme may reach a score of 14 with few codes.
  chroma: { ...USUAL_DEMAND, floor: 8 },
  echoprint40: USUAL_DEMAND,
  echoprint: USUAL_DEMAND,
  triplets: { ...USUAL_DEMAND, floor: 0, growth: 0, share: 0, surprise: 3 },
})

const CIRCUMSTANCE_FACTORS = Object.freeze({
  alone: 1,
  /** Few triplets, which are looked up first. */
  fewLandmarks: 1,
  /**
   * Landmarks found nothing in the same sound, and unrelated music of one tempo shares Echoprint
   * codes.
   */
  besideLandmarks: 2.5,
  /** Few codes at one of many pitches and tempos; a closer search follows. */
  guess: 0.1,
  transformed: 1,
  /** Title and artist must agree too. */
  named: 0.5,
})

export type Circumstance = keyof typeof CIRCUMSTANCE_FACTORS

export function demandOf(system: Family, circumstance: Circumstance = 'alone'): AnswerDemand {
  const { floor, share, surprise, ...others } = FAMILY_DEMANDS[system]
  const factor = CIRCUMSTANCE_FACTORS[circumstance]
  return { ...others, floor: floor * factor, share: share * factor, surprise: surprise * factor }
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW_SONGS = 100

type ScoredAnswer = Pick<Evidence, 'score' | 'codes' | 'chance' | 'lead'>

/** Whether codes that agree are of the recording, in an index of so many songs. */
export function isMatch(answer: ScoredAnswer, demand: AnswerDemand, songs: number): boolean {
  return (
    answer.score >= scoreThreshold(demand, songs) &&
    answer.codes >= demand.share &&
    answer.lead >= demand.lead &&
    surpriseOf(answer) >= demand.surprise
  )
}

function scoreThreshold({ floor, growth }: AnswerDemand, songs: number): number {
  return floor + growth * Math.log2(Math.max(songs, FEW_SONGS) / 1_000)
}

const BACKGROUND_SCORE = 2

/**
 * How improbable a score is by chance, in natural logarithms of Poisson's distribution. The next
 * recording's score stands for the best wrong one.
 */
export function surpriseOf({ score, chance, lead }: Omit<ScoredAnswer, 'codes'>): number {
  const expected = (1 - lead) * score + chance + BACKGROUND_SCORE
  return score > expected ? score * Math.log(score / expected) : 0
}

/** Seconds by which two systems may differ: only triplets follow changes of speed. */
const PLACEMENT_SECONDS = 0.5

/**
 * Whether two answers, each too weak alone, are right together: their shares of the demands add up
 * to 1.
 */
export function isConfirmed(
  answer: ScoredAnswer & Pick<Evidence, 'system' | 'offset'>,
  other: ScoredAnswer & Pick<Evidence, 'system' | 'offset'>,
  songs: number,
): boolean {
  const [share, otherShare] = [answer, other].map((answer) => demandShare(answer, songs))
  return Math.abs(answer.offset - other.offset) <= PLACEMENT_SECONDS && share! + otherShare! >= 1
}

/** The share of its demand that an answer reaches; 1 or more is all of it. */
function demandShare(answer: ScoredAnswer & Pick<Evidence, 'system'>, songs: number): number {
  const demand = demandOf(answer.system)
  if (answer.lead < demand.lead) return 0
  const parts = [
    [answer.score, scoreThreshold(demand, songs)],
    [answer.codes, demand.share],
    [surpriseOf(answer), demand.surprise],
  ] as const
  return Math.min(...parts.map(([value, least]) => (least > 0 ? value / least : Infinity)))
}

/** Two songs are copies if they share this part of the query's codes that agree. */
const COPY_SHARE = 0.4

export function areCopies(codes: ReadonlySet<number>, otherCodes: ReadonlySet<number>): boolean {
  let common = 0
  for (const code of codes) if (otherCodes.has(code)) common++
  return common >= COPY_SHARE * Math.max(codes.size, otherCodes.size)
}

const WHOLE_FILE = Object.freeze({
  /** The share of the file that must agree. */
  aligned: 0.7,
  /** The shorter lasts at least this share of the longer: a mix holds many recordings. */
  length: 0.6,
})

export function fillsWholeFile({
  aligned,
  lengths,
}: Pick<Evidence, 'aligned' | 'lengths'>): boolean {
  return aligned >= WHOLE_FILE.aligned && shorterShare(lengths) >= WHOLE_FILE.length
}

/** Lengths that differ by at most so many seconds count as the same. */
export const LENGTH_TOLERANCES = Object.freeze({
  /** For two records of which only the names agree. */
  records: 3,
  /** For masterings of one recording, if the sound or more than the names agrees. */
  masterings: 10,
  /** From this difference on, names that agree are not enough. */
  versions: 30,
})

export function isNamedMatch(evidence: Evidence, songs: number): boolean {
  const { names, lengths, system } = evidence
  const { query = 0, recording = query } = lengths
  return (
    isMatch(evidence, demandOf(system, 'named'), songs) &&
    names.title === true &&
    names.artist === true &&
    // A shorter query is an excerpt.
    query - recording <= LENGTH_TOLERANCES.masterings
  )
}

interface TaggedSong extends Pick<Evidence, 'lengths'> {
  byId: boolean
  indexed: boolean
}

/** Whether a file holds the song that its tags name, though its sound is not known. */
export function isTaggedSong({ byId, indexed, lengths }: TaggedSong): boolean {
  return byId || (!indexed && (lengthsApart(lengths) ?? 0) <= LENGTH_TOLERANCES.masterings)
}

export function isSameRecord({ names, lengths }: Pick<Evidence, 'names' | 'lengths'>): boolean {
  const noneKnown = lengths.query === undefined && lengths.recording === undefined
  const apart = lengthsApart(lengths) ?? (noneKnown ? 0 : Number.POSITIVE_INFINITY)
  return names.artist === true && apart <= LENGTH_TOLERANCES.records
}

const SAME_FILES = Object.freeze({
  /** A trimmed file is no excerpt. */
  overlap: 2 / 3,
  /** Other music agrees by chance in up to 8 codes at one offset. */
  agreeing: 10,
  /** Edits and medleys share hardly any codes where they differ. */
  weakest: {
    triplets: 0.01,
    chroma: 0.05,
    echoprint: 0.05,
    /** Music that repeats itself has no pitches to compare. */
    repeating: 0.25,
  },
  /** As a difference from 1; one beat a minute more is 0.005 or more. */
  speed: 0.003,
  /** Another song over the same loop has the codes of a copy, but other pitches. */
  pitches: 0.08,
  /** Drums have hardly any pitch. */
  pitchesOfDrums: 0.3,
  /** Triplets a second below which files are compared by Echoprint codes too. */
  sparse: 3,
})

/** Files that overlap by less of the longer one are not compared. */
export const SAME_OVERLAP = SAME_FILES.overlap

export function isSparse(triplets: number, duration: number): boolean {
  return triplets < SAME_FILES.sparse * duration
}

export function haveSameCodes(
  { overlap, agreeing, weakest, speed }: Omit<FileEvidence, 'identical' | 'pitches' | 'lengths'>,
  system: FileSystem | 'repeating',
): boolean {
  return (
    overlap >= SAME_FILES.overlap &&
    agreeing >= SAME_FILES.agreeing &&
    weakest >= SAME_FILES.weakest[system] &&
    Math.abs(speed - 1) <= SAME_FILES.speed
  )
}

export function isSameRecording({ system, pitches, ...codes }: FileEvidence): boolean {
  // Files with the same samples have no system.
  if (system === undefined) return true
  const maxDifference = system === 'echoprint' ? SAME_FILES.pitchesOfDrums : SAME_FILES.pitches
  return haveSameCodes(codes, system) && pitches <= maxDifference
}

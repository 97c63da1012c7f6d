import {
  type Evidence,
  type FileEvidence,
  type FileSystem,
  lengthsApart,
  shorterShare,
} from './evidence.ts'
import type { Family } from './systems/version.ts'

/**
 * Decides whether an answer is the right recording. All thresholds for that are here;
 * `search/rules.ts` chooses what a search costs.
 */

/** The requirements for an answer of one system to a search for codes. */
export interface Demand {
  /** A query of fewer distinct codes has no answer. */
  readonly minimum: number
  /** The score must be at least this in an index of 1,000 songs … */
  readonly floor: number
  /** … and this much more (less) for every doubling (halving) of it. */
  readonly growth: number
  /** The score must be at least this share of the codes considered. */
  readonly share: number
  /** The best song must lead the next other recording by this share of its score. */
  readonly lead: number
  /** The {@link surprise} must be at least this. */
  readonly surprise: number
}

const USUAL: Demand = {
  minimum: 10,
  floor: 12.3,
  growth: 0.5,
  share: 0.01,
  lead: 0.4,
  surprise: 0,
}

/**
 * Echoprint names a wrong recording for 0.4 % of 2,178 queries of music that an index of 88 recordings
 * does not hold. The larger an index, the more related recordings it holds.
 */
const DEMANDS: Readonly<Record<Family, Demand>> = Object.freeze({
  enmfp: USUAL,
  // Of 605 queries whose own recording is not in an index of 110 songs, none is answered. Two
  // arrangements of one theme reach a score of 14, but only 0.7 % of the codes.
  chroma: { ...USUAL, floor: 8 },
  echoprint40: USUAL,
  echoprint: USUAL,
  // Of 4,208 excerpts of 3 to 30 s of 143 pieces, asked with their own piece taken out of the index,
  // the best false answers have a surprise of 2.2 (3 s), 1.8 (5 s) and below 0.3 (10 s and more).
  triplets: { ...USUAL, floor: 0, growth: 0, share: 0, surprise: 3 },
})

/** Factors of the demands, by what else is known. */
const STRICTNESS = Object.freeze({
  alone: 1,
  /** Few triplets, which are looked up first. */
  fewLandmarks: 1,
  /** Landmarks found nothing in the same sound: music of one tempo has many Echoprint codes in common. */
  besideLandmarks: 2.5,
  /** Few codes at one of many pitches and tempos; a closer search follows. */
  guess: 0.1,
  /** One of many pitches and tempos that are tried. */
  transformed: 1,
  /** Title and artist must agree too, see {@link named}. */
  named: 0.5,
})

/** What is known about an answer besides the codes of one system. */
export type Circumstance = keyof typeof STRICTNESS

export function demandOf(system: Family, circumstance: Circumstance = 'alone'): Demand {
  const { floor, share, surprise, ...rest } = DEMANDS[system]
  const times = STRICTNESS[circumstance]
  return { ...rest, floor: floor * times, share: share * times, surprise: surprise * times }
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW_SONGS = 100

/** The parts of an answer that the decision uses. */
type Answer = Pick<Evidence, 'score' | 'codes' | 'chance' | 'lead'>

/**
 * Whether codes that agree are of the recording.
 *
 * @param songs - how many songs the index holds
 */
export function matched(answer: Answer, demand: Demand, songs: number): boolean {
  return (
    answer.score >= leastScore(demand, songs) &&
    answer.codes >= demand.share &&
    answer.lead >= demand.lead &&
    surprise(answer) >= demand.surprise
  )
}

function leastScore({ floor, growth }: Demand, songs: number): number {
  return floor + growth * Math.log2(Math.max(songs, FEW_SONGS) / 1_000)
}

/**
 * The score of unrelated music in addition to the expected one: the least value with which one
 * demand works for 3 s and for 20 s.
 */
const BACKGROUND = 2

/**
 * How improbable a score is if the song is a wrong one, in natural logarithms, by Poisson's
 * distribution. The expected score is the sum of chance and of the next other recording's score.
 * That recording is the best wrong one in an index of this size, for music of this kind, at all
 * speeds tried: so a larger search demands a higher score.
 */
export function surprise({ score, chance, lead }: Omit<Answer, 'codes'>): number {
  const expected = (1 - lead) * score + chance + BACKGROUND
  return score > expected ? score * Math.log(score / expected) : 0
}

/**
 * Seconds by which two systems may differ in where they place a query. Their times are 46 and 23 ms
 * wide, and only one of them follows changes of speed: 2 % are 0.2 s in the middle of 20 s.
 */
const PLACED = 0.5

/**
 * Whether the answers of two systems, each too weak alone, are right together: they place the query
 * at one offset, and the shares that they reach of their demands add up to 1. Of 1,094 excerpts
 * whose own piece is not in the index, both name one place of another in one case, with 0.1.
 */
export function together(
  one: Answer & Pick<Evidence, 'system' | 'offset'>,
  other: Answer & Pick<Evidence, 'system' | 'offset'>,
  songs: number,
): boolean {
  const [first, second] = [one, other].map((answer) => part(answer, songs))
  return Math.abs(one.offset - other.offset) <= PLACED && first! + second! >= 1
}

/** The share of its demand that an answer reaches; 1 or more is all of it. */
function part(answer: Answer & Pick<Evidence, 'system'>, songs: number): number {
  const demand = demandOf(answer.system)
  if (answer.lead < demand.lead) return 0
  const shares = [
    [answer.score, leastScore(demand, songs)],
    [answer.codes, demand.share],
    [surprise(answer), demand.surprise],
  ] as const
  return Math.min(...shares.map(([value, least]) => (least > 0 ? value / least : Infinity)))
}

/**
 * Two songs are copies if this share of the query's codes that agree is common to both. With
 * each of 88 songs twice in the index, encoded differently, 71 % of excerpts are identified at 0.8,
 * 89 % at 0.6, 96.2 % at 0.4; of 2,178 excerpts of unknown music 8 are, from 0.3 on 10.
 */
const COPY = 0.4

/** Whether two songs are copies of each other, by which codes of a query agree with them. */
export function copies(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  let common = 0
  for (const code of one) if (other.has(code)) common++
  return common >= COPY * Math.max(one.size, other.size)
}

/**
 * When a whole file is a recording. Of 320 pairs of encodings of 32 freely licensed pieces, 312 have one
 * song if 0.5 to 0.7 of them must agree, 304 at 0.8. With an edit, an excerpt or a medley, 131 have at
 * 0.5, 44 at 0.6 and 0.7.
 */
const WHOLE = Object.freeze({
  /** The share of the file that must agree. */
  aligned: 0.7,
  /** The shorter of the two lasts at least this share of the longer: a mix holds many recordings. */
  length: 0.6,
})

/** Whether a whole file, whose codes agree with those of a recording, is that recording. */
export function whole({ aligned, lengths }: Pick<Evidence, 'aligned' | 'lengths'>): boolean {
  return aligned >= WHOLE.aligned && shorterShare(lengths) >= WHOLE.length
}

/**
 * Lengths that differ by at most so many seconds count as the same. Silence at the ends and
 * rounding cause small differences.
 */
export const APART = Object.freeze({
  /** For two records of which only the names agree. */
  records: 3,
  /** For masterings of one recording, if the sound or more than the names agrees. */
  masterings: 10,
  /** From this difference on, names that agree are not enough. */
  versions: 30,
})

/**
 * Whether names make up for a score that is too low by itself: title and artist agree, and the
 * length allows it.
 */
export function named(evidence: Evidence, songs: number): boolean {
  const { names, lengths, system } = evidence
  const { query = 0, recording = query } = lengths
  return (
    matched(evidence, demandOf(system, 'named'), songs) &&
    names.title === true &&
    names.artist === true &&
    // A shorter query is an excerpt.
    query - recording <= APART.masterings
  )
}

/** What the tags of a file say about a song that was not found by sound. */
interface Tagged extends Pick<Evidence, 'lengths'> {
  /** Whether the song was found by an id of the recording, not by names. */
  byId: boolean
  /** Whether the song has fingerprints. */
  indexed: boolean
}

/** Whether a file holds the song that its tags name, though its sound is not known. */
export function tagged({ byId, indexed, lengths }: Tagged): boolean {
  return byId || (!indexed && (lengthsApart(lengths) ?? 0) <= APART.masterings)
}

/**
 * Whether two records by one artist and with one title are of one song. `names.artist` says whether
 * the credits agree. A record without a length does not match a song with one.
 */
export function sameRecord({ names, lengths }: Pick<Evidence, 'names' | 'lengths'>): boolean {
  const noneKnown = lengths.query === undefined && lengths.recording === undefined
  const apart = lengthsApart(lengths) ?? (noneKnown ? 0 : Number.POSITIVE_INFINITY)
  return names.artist === true && apart <= APART.records
}

/**
 * When two files are the same recording, perhaps encoded differently or trimmed by up to 9 s. Chosen on
 * half of 47 generated and 68 freely licensed pieces: of the other half 98 of 98 and 299 of 320
 * pairs of copies are accepted, and none of 112,077 pairs of other music, much of it similar.
 */
const SAME = Object.freeze({
  /** A trimmed file is no excerpt. */
  overlap: 2 / 3,
  /** Fewer codes may agree by chance: of other music up to 8 do at one offset, at one speed. */
  agreeing: 10,
  /** Edits and medleys share hardly any codes where they differ; no triplets agree by chance. */
  weakest: {
    triplets: 0.01,
    chroma: 0.05,
    echoprint: 0.05,
    /**
     * For music that repeats itself, whose pitches are not compared. Of 47 pairs of copies of loops
     * three quarters have more; no two different loops share enough codes.
     */
    repeating: 0.25,
  },
  /** As a difference from 1: a beat a minute more is 0.005 or more. Codes are 46 ms apart. */
  speed: 0.003,
  /** Another song over the same loop, whose codes agree like those of a copy, has 0.1 or more. */
  pitches: 0.08,
  /** Drums have hardly any pitch: copies differ by up to 0.2, other drums by 0.58 or more. */
  pitchesOfDrums: 0.3,
  /**
   * Files with fewer triplets a second are compared by Echoprint codes too: drums alone have 0.2 to 3,
   * other generated music 5 or more. Bands that play alike have many Echoprint codes in common.
   */
  sparse: 3,
})

/** Files that overlap by less of the longer one need not be compared. */
export const SAME_OVERLAP = SAME.overlap

/** Whether a file (`duration` in seconds) has so few triplets that Echoprint is compared too. */
export function isSparse(triplets: number, duration: number): boolean {
  return triplets < SAME.sparse * duration
}

/** The part of the verdict on two files that needs only codes, of a system or a repeating file. */
export function sameCodes(
  { overlap, agreeing, weakest, speed }: Omit<FileEvidence, 'identical' | 'pitches' | 'lengths'>,
  of: FileSystem | 'repeating',
): boolean {
  return (
    overlap >= SAME.overlap &&
    agreeing >= SAME.agreeing &&
    weakest >= SAME.weakest[of] &&
    Math.abs(speed - 1) <= SAME.speed
  )
}

export function sameRecording({ system, pitches, ...codes }: FileEvidence): boolean {
  // Files with the same samples have no system.
  if (system === undefined) return true
  const most = system === 'echoprint' ? SAME.pitchesOfDrums : SAME.pitches
  return sameCodes(codes, system) && pitches <= most
}

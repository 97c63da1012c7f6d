import {
  type Evidence,
  type FileEvidence,
  type FileSystem,
  type Lengths,
  lengthsApart,
  shorterShare,
} from './evidence.ts'
import { ACCEPTED, above, below, type Verdict } from './refusal.ts'
import type { Family } from './systems/version.ts'

export type { Refusal, Term, Verdict } from './refusal.ts'

/**
 * Whether it is the recording. All thresholds on that question stand here; what a search costs is
 * chosen in `search/rules.ts`. Each function takes evidence and says yes, or what it lacks.
 */

/** What the answer to a search for codes must have. */
export interface Demand {
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
 * Of 4,208 excerpts of 3 to 30 s of 143 pieces, asked with their own piece taken out of the index, the
 * best false answers have a surprise of 2.2 (3 s), 1.8 (5 s) and below 0.3 (10 s and more). Two pieces
 * that hold the same chord of the same synthesizer for seconds are not counted: that is one sound.
 */
const TRIPLETS: Demand = { ...USUAL, floor: 0, growth: 0, share: 0, surprise: 3 }

/**
 * Echoprint names a wrong recording for 0.4 % of 2,178 queries of music that an index of 88 recordings
 * does not hold; chance alone reaches scores of 3. The larger an index, the more related recordings it
 * holds.
 */
const DEMANDS: Readonly<Record<Family, Demand>> = Object.freeze({
  enmfp: USUAL,
  // Of 605 queries whose own recording is not in an index of 110 songs, none is answered. Two
  // arrangements of one theme reach a score of 14, but only 0.7 % of the codes.
  chroma: { ...USUAL, floor: 8 },
  echoprint40: USUAL,
  echoprint: USUAL,
  // Of older databases: the few codes of an excerpt that are still asked must agree clearly.
  landmarks: { ...USUAL, floor: 11, share: 0.02 },
  triplets: TRIPLETS,
})

/** By how much the demands change with what else is known. */
const STRICTNESS = Object.freeze({
  alone: 1,
  /** Few triplets, asked first. */
  fewLandmarks: 1,
  /** Landmarks found nothing in the same sound: music of one tempo has many Echoprint codes in common. */
  besideLandmarks: 2.5,
  /** Few codes at one of many pitches and tempos: only where to look closer. */
  guess: 0.1,
  /** One of many pitches and tempos that are tried. */
  transformed: 1,
  /** Title and artist are asked to agree, see {@link named}. */
  named: 0.5,
})

/** What is known about an answer besides the codes of one system. */
export type Circumstance = keyof typeof STRICTNESS

/** What an answer of one system must have. */
export function demandOf(system: Family, circumstance: Circumstance = 'alone'): Demand {
  const { floor, share, surprise, ...rest } = DEMANDS[system]
  const times = STRICTNESS[circumstance]
  return { ...rest, floor: floor * times, share: share * times, surprise: surprise * times }
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW_SONGS = 100

/** What is decided on of an answer of one system. */
type Answer = Pick<Evidence, 'score' | 'codes' | 'chance' | 'lead'>

/** Whether a query has codes enough to be looked up. */
export function answerable(distinct: number, { minimum }: Demand): Verdict {
  return below('minimum', distinct, minimum) ?? ACCEPTED
}

/**
 * Whether codes that agree are of the recording.
 *
 * @param songs - how many songs the index holds
 */
export function matched(answer: Answer, demand: Demand, songs: number): Verdict {
  return (
    below('score', answer.score, leastScore(demand, songs)) ??
    below('codes', answer.codes, demand.share) ??
    below('lead', answer.lead, demand.lead) ??
    below('surprise', surprise(answer), demand.surprise) ??
    ACCEPTED
  )
}

function leastScore({ floor, growth }: Demand, songs: number): number {
  return floor + growth * Math.log2(Math.max(songs, FEW_SONGS) / 1_000)
}

/**
 * What agrees in music that has nothing to do with each other, besides what is expected: a few songs say
 * little about what others would have. Of 0.5, 1, 1.5, 2 and 3, the least with which the same demand does
 * for 3 s as for 20 s.
 */
const BACKGROUND = 2

/**
 * How surprising a score is if the song is another one, in natural logarithms: what Poisson's
 * distribution says of a count of `score` where as much is expected as chance brings and the next
 * other recording has. That one is the best of all false ones, in an index of this size, for music of
 * this kind, at all the speeds that were tried: the more is searched, the more is asked.
 */
export function surprise({
  score,
  chance,
  lead,
}: Pick<Answer, 'score' | 'chance' | 'lead'>): number {
  const expected = (1 - lead) * score + chance + BACKGROUND
  return score > expected ? score * Math.log(score / expected) : 0
}

/**
 * Seconds by which two systems may differ in where they place a query. Their times are 46 and 23 ms
 * wide, and only one of them follows changes of speed: 2 % are 0.2 s in the middle of 20 s.
 */
const PLACED = 0.5

/**
 * Whether the answers of two systems, each too weak alone, are the recording that both name: they place
 * the query at one offset, and what they have of what each must have is enough together. Of 1,094
 * excerpts whose own piece is not in the index, both name one place of another in one case, with 0.1.
 *
 * @param songs - how many songs the index holds
 */
export function together(
  one: Answer & Pick<Evidence, 'system' | 'offset'>,
  other: Answer & Pick<Evidence, 'system' | 'offset'>,
  songs: number,
): Verdict {
  const parts = [one, other].map((answer) => part(answer, demandOf(answer.system), songs))
  return (
    above('offset', Math.abs(one.offset - other.offset), PLACED) ??
    below(
      'score',
      parts.reduce((sum, each) => sum + each, 0),
      1,
    ) ??
    ACCEPTED
  )
}

/** How much an answer has of what it must have, 1 for all. */
function part(answer: Answer, demand: Demand, songs: number): number {
  if (answer.lead < demand.lead) return 0
  const shares = [
    [answer.score, leastScore(demand, songs)],
    [answer.codes, demand.share],
    [surprise(answer), demand.surprise],
  ] as const
  return Math.min(...shares.map(([value, least]) => (least > 0 ? value / least : Infinity)))
}

/**
 * Two songs are copies if this share of what agrees with either are the same codes of the query.
 *
 * Not more: the codes that only one of two encodings has are the rarest, and are looked up first.
 * Of excerpts of 88 songs, 96.5 % are identified by their sound. With each song twice in the index,
 * encoded differently, it is 71 % at 0.8, 89 % at 0.6, 96.2 % at 0.4. Not less: by Echoprint codes
 * alone 8 of 2,178 queries of unknown music are answered, from 0.3 on 10.
 */
const COPY = 0.4

/** Whether two songs are copies of each other, by which codes of a query agree with them. */
export function copies(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  let common = 0
  for (const code of one) if (other.has(code)) common++
  return common >= COPY * Math.max(one.size, other.size)
}

/**
 * When two whole files are the same recording. Of 320 pairs of encodings of 32 freely licensed pieces,
 * 312 have one song if 0.5 to 0.7 of them must agree, 304 at 0.8. With an edit, an excerpt, a medley or
 * a version 1 % faster or a semitone higher, 131 have at 0.5, 44 at 0.6 and 0.7, 33 at 0.8.
 */
const WHOLE = Object.freeze({
  /** The share of the file that must agree. */
  aligned: 0.7,
  /** The shorter of the two lasts at least this share of the longer: a mix holds many recordings. */
  length: 0.6,
})

/** Whether a whole file, whose codes agree with those of a recording, is that recording. */
export function whole({ aligned, lengths }: Pick<Evidence, 'aligned' | 'lengths'>): Verdict {
  return (
    below('aligned', aligned, WHOLE.aligned) ??
    below('length', shorterShare(lengths), WHOLE.length) ??
    ACCEPTED
  )
}

/**
 * Seconds by which lengths that count as the same may differ. Silence at the ends and rounding make
 * the least of it.
 */
export const APART = Object.freeze({
  /** Of two records: nothing but names says that they are one. */
  records: 3,
  /** Of masterings of one recording: its sound, or more than its names, says that it is one. */
  masterings: 10,
  /** From here on, names that agree do not outweigh it. */
  versions: 30,
})

/** Names alone do not make one recording of two, of which one is shorter than half of the other. */
const HALF = 0.5

/**
 * How much the lengths of two songs of one name speak against their being one recording: 0 up to the
 * difference of masterings, 1 from that of versions on; infinite where they are different recordings.
 * An unknown length says nothing.
 */
export function lengthPenalty(lengths: Lengths): number {
  const apart = lengthsApart(lengths) ?? 0
  const { masterings, versions } = APART
  if (apart > versions && shorterShare(lengths) < HALF) return Number.POSITIVE_INFINITY
  return Math.min(1, Math.max(0, apart - masterings) / (versions - masterings))
}

/**
 * Whether the names beside a code make up for a score that is too low by itself: both agree, and the
 * length allows it.
 *
 * @param songs - how many songs the index holds
 */
export function named(evidence: Evidence, songs: number): Verdict {
  const { names, lengths, system } = evidence
  const verdict = matched(evidence, demandOf(system, 'named'), songs)
  if (!verdict.accepted) return verdict
  const { query = 0, recording = query } = lengths
  return (
    below('title', Number(names.title ?? false), 1) ??
    below('artist', Number(names.artist ?? false), 1) ??
    // A shorter query is an excerpt.
    above('length', query - recording, APART.masterings) ??
    ACCEPTED
  )
}

/** What the tags of a file say of a song that its sound did not find. */
export interface Tagged {
  /** Whether an id of the recording led to it, and not names. */
  byId: boolean
  /** Whether the song has fingerprints. */
  indexed: boolean
  lengths: Lengths
}

/** Whether a file holds the song that its tags name, though its sound is not known. */
export function tagged({ byId, indexed, lengths }: Tagged): Verdict {
  if (byId) return ACCEPTED
  return (
    below('sound', Number(!indexed), 1) ??
    above('length', lengthsApart(lengths) ?? 0, APART.masterings) ??
    ACCEPTED
  )
}

/**
 * Whether two records by one artist and with one title are of one song. `artist` is whether the
 * artists are credited alike. A record without length is no record of a song with one.
 */
export function sameRecord({ names, lengths }: Pick<Evidence, 'names' | 'lengths'>): Verdict {
  const noneKnown = lengths.query === undefined && lengths.recording === undefined
  const apart = lengthsApart(lengths) ?? (noneKnown ? 0 : Number.POSITIVE_INFINITY)
  return (
    below('artist', Number(names.artist ?? false), 1) ??
    above('length', apart, APART.records) ??
    ACCEPTED
  )
}

/**
 * When two files are the same recording, perhaps encoded differently or trimmed. Chosen on half of 47
 * generated and 68 freely licensed pieces (MP3 at 32 kbit/s and more, Vorbis, Opus, AAC; mono, softer,
 * trimmed by up to 9 s): 208 of 208 and 264 of 293 pairs of copies are accepted there, 98 of 98 and 299
 * of 320 of the other half, and none of 112,077 pairs of other music, much of it alike.
 */
const SAME = Object.freeze({
  /** A trimmed file is no excerpt. */
  overlap: 2 / 3,
  /** Fewer codes may agree by chance at some offset: 8 of others do, at the same speed. */
  agreeing: 10,
  /** Edits and medleys have hardly any codes in common where they differ; chance has no triplets. */
  weakest: {
    triplets: 0.01,
    landmarks: 0.05,
    chroma: 0.05,
    echoprint: 0.05,
    /**
     * Of music that repeats itself, whose sound is not compared. Of 47 pairs of copies of loops three
     * quarters have more; no two different loops share as many codes as are asked for.
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

/** Whether a file of so many seconds has so few triplets that Echoprint codes are asked too. */
export function isSparse(triplets: number, duration: number): boolean {
  return triplets < SAME.sparse * duration
}

type CodesAgree = Pick<FileEvidence, 'overlap' | 'agreeing' | 'weakest' | 'speed'>

/** What of the verdict on two files needs no more than codes, of a system or of a repeating file. */
export function sameCodes(
  { overlap, agreeing, weakest, speed }: CodesAgree,
  of: FileSystem | 'repeating',
): Verdict {
  return (
    below('overlap', overlap, SAME.overlap) ??
    below('agreeing', agreeing, SAME.agreeing) ??
    below('weakest', weakest, SAME.weakest[of]) ??
    above('speed', Math.abs(speed - 1), SAME.speed) ??
    ACCEPTED
  )
}

/** Whether two files are the same recording. */
export function sameRecording({ system, pitches, ...codes }: FileEvidence): Verdict {
  // Files with the same samples have no system.
  if (system === undefined) return ACCEPTED
  const verdict = sameCodes(codes, system)
  if (!verdict.accepted) return verdict
  const most = system === 'echoprint' ? SAME.pitchesOfDrums : SAME.pitches
  return above('pitches', pitches, most) ?? ACCEPTED
}

import {
  type Evidence,
  type FileEvidence,
  type FileSystem,
  type Lengths,
  lengthsApart,
  shorterShare,
} from './evidence.ts'
import { ACCEPTED, above, below, type Verdict } from './refusal.ts'
import { demandOf, matched } from './verdict-on-answers.ts'

export type { Refusal, Term, Verdict } from './refusal.ts'
export {
  answerable,
  type Circumstance,
  copies,
  type Demand,
  demandOf,
  matched,
  surprise,
  together,
} from './verdict-on-answers.ts'

/**
 * Whether it is the recording. All thresholds on that question stand here, those on answers to searches
 * in `verdict-on-answers.ts`; what a search costs is chosen in `search/rules.ts`. Each function takes
 * evidence and says yes, or what it lacks.
 */

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

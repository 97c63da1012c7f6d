import { ACCEPTED, above, below, type Verdict } from '../refusal.ts'
import { aligning, type FileCodes } from './code-alignment.ts'
import { comparingSounds, type Segments } from './sound-difference.ts'

/**
 * The codes by which files are compared: triplets, or pairs where both are of an older database;
 * Echoprint where there are few of these, of drums say.
 */
export const SYSTEMS = ['triplets', 'landmarks', 'echoprint'] as const
export type System = (typeof SYSTEMS)[number]

/** What speaks for two files being the same recording. */
export interface FileEvidence {
  /** Whether their decoded sound is the same to the bit: then nothing else was compared. */
  identical: boolean
  /** The system of fingerprints whose codes agree; not of identical files. */
  system?: System
  /** Seconds of this file at which the other one begins; negative when the other begins earlier. */
  offset: number
  /** The time in which both sound, as a share of the longer file: 0…1. */
  overlap: number
  /** How fast this file is relative to the other: 1.01 is 1 % slower. */
  speed: number
  /** How many codes agree at that offset. */
  agreeing: number
  /** The share of the codes of both that agree, where both sound: 0…1. */
  codes: number
  /** The same in the place of 10 s where the fewest agree; 15 % of the places are left out. */
  weakest: number
  /** How much the pitches differ, 0…: 0 is not at all, 1 as much as those of different moments. */
  pitches: number
  /** The same of the timbre. */
  timbre: number
  /** Seconds. */
  lengths: { file: number; other: number }
}

/**
 * When two files are the same recording, perhaps encoded differently or trimmed: what a verdict asks
 * for besides those of `verdict.ts`. Chosen by pairs of landmarks on generated and freely licensed music
 * (MP3 at 32 kbit/s and more, Vorbis, Opus, AAC; mono, softer, trimmed by up to 9 s), and kept for
 * triplets: of 306 pairs of copies of generated music 287 are accepted, of 360 and 253 of freely
 * licensed music 318 and 230, and none of 25,119, 30,268 and 14,282 pairs of other music, much of it
 * alike.
 */
const SAME = Object.freeze({
  /** A trimmed file is no excerpt. */
  overlap: 2 / 3,
  /** Fewer codes may agree by chance at some offset. */
  agreeing: 10,
  /** Copies at low bit rates mostly have 0.04 or more; edits and medleys 0 to 0.02 where they differ. */
  weakest: 0.02,
  /** As a difference from 1: a beat a minute more is 0.005 or more. Codes are 46 ms apart. */
  speed: 0.003,
  /**
   * Either is enough. Another song over the same loop, whose codes agree like those of a copy, has
   * pitches from 0.1 on and a timbre from 0.3 on.
   */
  pitches: 0.08,
  timbre: 0.25,
  /**
   * As `weakest`, where music that repeats itself is compared by its codes alone, and of the recording
   * only the codes that it shares with the file are known. Of 47 pairs of copies of loops three quarters
   * have more; no two different loops share as many codes as are asked for.
   */
  repeating: 0.25,
})

/**
 * Files with fewer triplets a second are compared by Echoprint codes too. Generated drums
 * alone have 0.2 to 3, other generated music 5 or more. Not all files: bands that play alike have many of these codes in common, and
 * 12 others of them would be accepted.
 */
const SPARSE = 3

/** Files that overlap by less of the longer one need not be compared. */
export const SAME_OVERLAP = SAME.overlap

/** Whether two files are the same recording. */
export function sameRecording(evidence: Omit<FileEvidence, 'offset' | 'lengths'>): Verdict {
  if (evidence.identical) return ACCEPTED
  const verdict = sameCodes(evidence)
  if (!verdict.accepted || evidence.timbre <= SAME.timbre) return verdict
  return above('pitches', evidence.pitches, SAME.pitches) ?? ACCEPTED
}

type CodesAgree = Pick<FileEvidence, 'overlap' | 'agreeing' | 'weakest' | 'speed'>

/** What of the verdict needs no more than codes. */
function sameCodes(
  { overlap, agreeing, weakest, speed }: CodesAgree,
  leastWeakest: number = SAME.weakest,
): Verdict {
  return (
    below('overlap', overlap, SAME.overlap) ??
    below('agreeing', agreeing, SAME.agreeing) ??
    below('weakest', weakest, leastWeakest) ??
    above('speed', Math.abs(speed - 1), SAME.speed) ??
    ACCEPTED
  )
}

/** Whether a file that repeats itself is a recording, of which only the file's codes are known. */
export function sameRepeating(evidence: CodesAgree): Verdict {
  return sameCodes(evidence, SAME.repeating)
}

/** A file to compare: its codes, and how it sounds, which is asked for only when the codes agree. */
export interface WholeFile {
  codes: Partial<Record<System, FileCodes>>
  /** Seconds. */
  duration: number
  segments: () => Promise<Segments | undefined>
}

function isSparse({ codes, duration }: WholeFile): boolean {
  return ((codes.triplets ?? codes.landmarks)?.keys.length ?? 0) < SPARSE * duration
}

/** The steps of a comparison, made one after another with pauses between. */
type InSteps = <T>(steps: Generator<void, T>) => Promise<T>

/**
 * Compares two files; `undefined` when they are not the same recording, or how they sound is unknown.
 *
 * @returns the evidence for `file`, relative to `other`
 */
export async function comparing(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  const lengths = { file: file.duration, other: other.duration }
  for (const system of SYSTEMS) {
    const [own, others] = [file.codes[system], other.codes[system]]
    if (!own || !others) continue
    if (system === 'echoprint' && !isSparse(file) && !isSparse(other)) continue
    const alignments = await inSteps(aligning(others, own, SAME.overlap))
    for (const aligned of alignments) {
      if (!sameCodes(aligned).accepted) continue
      const [sound, otherSound] = [await file.segments(), await other.segments()]
      if (!sound || !otherSound) return undefined
      const { offset } = aligned
      const from = Math.max(0, -offset)
      const length = Math.min(lengths.other, lengths.file - offset) - from
      const difference = await inSteps(comparingSounds(otherSound, sound, { from, length, offset }))
      const evidence = { identical: false, system, ...aligned, ...difference, lengths }
      if (sameRecording(evidence).accepted) return evidence
    }
  }
  return undefined
}

/** The evidence of two files with the same samples. */
export function identical(lengths: FileEvidence['lengths']): FileEvidence {
  const same = { offset: 0, overlap: 1, speed: 1, agreeing: 0, codes: 1, weakest: 1 }
  return { identical: true, ...same, pitches: 0, timbre: 0, lengths }
}

/** The evidence of the other file, relative to this one. */
export function reversed(evidence: FileEvidence): FileEvidence {
  const { offset, speed, lengths } = evidence
  return {
    ...evidence,
    offset: -offset / speed,
    speed: 1 / speed,
    lengths: { file: lengths.other, other: lengths.file },
  }
}
